import { describe, expect, it } from 'vitest';
import { useEngine } from '../../harness/task-harness.ts';
import { aNotification, aTask, noon } from '../../support/builders.ts';
import { status } from '../../support/receiver.ts';

const world = useEngine();
const { topic, subscribed, stored, deliver, deliverAgain, outcomes, single, waiting } = world;
const day = 24 * 3_600_000;

describe('a subscription that has been failing', () => {
  it('is moved to a task of its own, at once, so that it holds up nobody', async () => {
    const [well, ill] = [await subscribed(), await subscribed({ isFailing: true })];
    await deliver(aTask(aNotification(topic), [well, ill]));
    expect(world.receiver.received.map(({ headers }) => headers['subscription-id'])).toEqual([well.uuid]);
    const moved = { class: 'split', at: noon, next: 'retry', notBefore: noon };
    expect(await outcomes()).toMatchObject({ [well.uuid]: { class: 'delivered' }, [ill.uuid]: moved });
    expect(await single(ill)).toMatchObject({ state: 'waiting', attempt: -1, outcome: moved });
    expect(waiting()).toEqual([]);

    const tasks = world.queued();
    expect(tasks).toMatchObject([{ isSingle: true, attempt: 0, subscriptionUuids: [ill.uuid] }]);
    for (const task of tasks) await deliver(task);
    expect(world.receiver.received.map(({ headers }) => headers['subscription-id'])).toEqual([well.uuid, ill.uuid]);
    expect(await single(ill)).toMatchObject({ state: 'delivered', attempt: 0 });
    expect(await stored(ill)).toMatchObject({ isFailing: false, lastDeliveredAt: noon });
  });

  it('is moved also when it is alone: it would hold up the tasks behind it', async () => {
    const ill = await subscribed({ isFailing: true });
    await deliver(aTask(aNotification(topic), [ill]));
    expect(await outcomes()).toMatchObject({ [ill.uuid]: { class: 'split' } });
    expect(world.receiver.received).toEqual([]);
    expect(world.queued()).toMatchObject([{ isSingle: true, attempt: 0, subscriptionUuids: [ill.uuid] }]);
  });

  it('has its whole policy before it in the task of its own', async () => {
    const [well, ill] = [await subscribed(), await subscribed({ isFailing: true, maxRetries: 1 })];
    world.receiver.answer(({ headers }) => ({ status: headers['subscription-id'] === ill.uuid ? 500 : 200 }));
    await deliver(aTask(aNotification(topic), [well, ill]));
    for (const task of world.queued()) await deliver(task);
    expect(waiting()).toMatchObject([{ payload: { task: { attempt: 1 } } }]);
    for (const { payload } of waiting()) await deliver(payload.task);
    expect(await single(ill)).toMatchObject({ state: 'failed', attempt: 1 });
    expect(world.receiver.received).toHaveLength(3);
  });

  it('is moved once more where the queue shows the task again, and posted once', async () => {
    const [well, ill] = [await subscribed(), await subscribed({ isFailing: true })];
    const task = aTask(aNotification(topic), [well, ill]);
    await deliver(task);
    await deliverAgain(task);
    const tasks = world.queued();
    expect(tasks).toHaveLength(2);
    for (const one of tasks) await deliver(one);
    expect(world.receiver.received).toHaveLength(2);
  });
});

describe('a fault of ours with one subscription of a task', () => {
  it('is not the others’: alone it shows itself', async () => {
    const [well, odd] = [await subscribed(), await subscribed()];
    const { sender } = world.engine;
    const faulty: typeof sender = {
      deliver: (message, subscription) =>
        subscription.uuid === odd.uuid ? Promise.reject(new Error('no sender')) : sender.deliver(message, subscription),
    };
    const engine = { ...world.engine, sender: faulty };
    await deliver(aTask(aNotification(topic), [well, odd]), engine);
    expect(await outcomes()).toMatchObject({ [well.uuid]: { class: 'delivered' }, [odd.uuid]: { class: 'split' } });
    const tasks = world.queued();
    expect(tasks).toMatchObject([{ isSingle: true, attempt: 0, subscriptionUuids: [odd.uuid] }]);
    for (const task of tasks) await expect(deliver(task, engine)).rejects.toThrow('no sender');
  });
});

describe('the health of a subscription', () => {
  it('is written down with its first delivery, and not with each', async () => {
    const person = await subscribed();
    await deliver(aTask(aNotification(topic), [person]));
    expect(await stored(person)).toMatchObject({ isFailing: false, lastDeliveredAt: noon });
    world.clock += 60_000;
    await deliver(aTask(aNotification(topic), [person]));
    expect(await stored(person)).toMatchObject({ lastDeliveredAt: noon });
  });

  it('is failing after a failure, and well again after a delivery', async () => {
    const person = await subscribed();
    world.receiver.answer(status(500));
    await deliver(aTask(aNotification(topic), [person]));
    expect(await stored(person)).toMatchObject({ isFailing: true, isActive: true });
    world.receiver.answer(status(200));
    for (const { payload } of waiting()) await deliver(payload.task);
    expect(await stored(person)).toMatchObject({ isFailing: false, isActive: true });
  });

  it('ends with 410: paused at once, the message failed, and nobody else touched', async () => {
    const [gone, well] = [await subscribed(), await subscribed()];
    world.receiver.answer(({ headers }) => ({ status: headers['subscription-id'] === gone.uuid ? 410 : 200 }));
    const task = aTask(aNotification(topic), [gone, well]);
    await deliver(task);
    expect(waiting()).toEqual([]);
    expect(await stored(gone)).toMatchObject({ isActive: false, pausedReason: 'gone' });
    expect(await stored(well)).toMatchObject({ isActive: true });
    expect(await single(gone)).toMatchObject({ state: 'failed', outcome: { status: 410, next: 'failed' } });
    expect(world.failures).toMatchObject([{ messageId: task.content.messageId, uuid: gone.uuid }]);
  });

  it.each([
    ['pauses', 6 * day, { isActive: false, pausedReason: 'undeliverable' }],
    ['goes on', 5 * day, { isActive: true, isFailing: true }],
  ])('%s when a message fails for good and nothing was delivered for %i ms', async (_what, silence, expected) => {
    const person = await subscribed({ maxRetries: 0, activeSince: noon - silence });
    world.receiver.answer(status(500));
    await deliver(aTask(aNotification(topic), [person]));
    expect(await stored(person)).toMatchObject(expected);
  });

  it('that is paused lets its waiting tasks stand as failed, for an operator to have them made again', async () => {
    const person = await subscribed();
    world.receiver.answer(status(500));
    await deliver(aTask(aNotification(topic), [person]));
    await world.engine.subscriptions.noteHealth(person, { isFailing: true, pause: 'undeliverable' });
    world.clock += 60_000;
    const [{ payload }] = waiting() as [ReturnType<typeof waiting>[0]];
    await deliver(payload.task);
    const told = { messageId: payload.task.content.messageId, uuid: person.uuid, outcome: { class: 'paused' } };
    expect(world.failures).toEqual([told]);
    // Whoever sees it again may be the first to tell; a duplicate made by the queue is not.
    world.clock += 1;
    await deliver(payload.task);
    expect(world.failures).toEqual([told]);
    await deliverAgain(payload.task);
    expect(world.failures).toEqual([told, told]);
    expect(world.receiver.received).toHaveLength(1);
    expect(await single(person)).toMatchObject({ state: 'failed', sweepShard: expect.stringMatching(/^failed#/) });
  });

  it('that is paused before a first attempt lets it stand as failed, too', async () => {
    const [well, person] = [await subscribed(), await subscribed()];
    await world.engine.subscriptions.noteHealth(person, { pause: 'bounce' });
    const messages = [aTask(aNotification(topic), [well, person]), aTask(aNotification(topic), [person])];
    for (const task of messages) await deliver(task);
    for (const task of world.queued()) await deliver(task);
    expect(world.receiver.received.map(({ headers }) => headers['subscription-id'])).toEqual([well.uuid]);
    const told = { uuid: person.uuid, outcome: { class: 'paused' } };
    expect(world.failures).toEqual(messages.map(({ content: { messageId } }) => ({ messageId, ...told })));
    const rows = (await world.ledger()).filter(({ owner }) => owner === person.uuid);
    expect(rows.map(({ state }) => state)).toEqual(['failed', 'failed']);
  });

  it('is told once of a retry that it ended and that paused it, though the queue shows it again', async () => {
    const person = await subscribed();
    world.receiver.answer(status(500));
    await deliver(aTask(aNotification(topic), [person]));
    world.receiver.answer(status(410));
    const [{ payload }] = waiting() as [ReturnType<typeof waiting>[0]];
    await deliver(payload.task);
    await deliverAgain(payload.task);
    expect(world.failures).toMatchObject([{ uuid: person.uuid, outcome: { class: 'http', status: 410 } }]);
  });

  it('that left, came back and is paused now is no receiver of what was published before', async () => {
    const person = await subscribed();
    world.receiver.answer(status(500));
    await deliver(aTask(aNotification(topic), [person]));
    await world.store.remove(person.uuid);
    await subscribed({ ...person, generation: 'a later life', isActive: false, pausedReason: 'gone' });
    for (const { payload } of waiting()) await deliver(payload.task);
    expect(world.failures).toEqual([]);
    expect(await single(person)).toMatchObject({ state: 'dropped' });
  });
});
