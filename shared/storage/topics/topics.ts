import { defineStore } from '../../contract/store.ts';
import { dynamo } from '../dynamo.ts';
import { read } from './read.ts';
import { write } from './write.ts';

export const topics = defineStore({ name: 'topics', client: dynamo, permissions: { read, write } });
