import type { mails, pages } from './en.ts';

// English is the shape: a catalogue that lacks a text, or has one too many, does not compile.
export type PageTexts = typeof pages;
export type MailTexts = typeof mails;
