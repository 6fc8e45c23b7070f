import type { Edit } from './edit.ts';

const deliveries = 'shared/storage/deliveries';
const delivery = 'shared/delivery';

/** Edits that change one file and break one promise of the delivery engine. */
type Mutation = readonly Edit[];

const mutation = (file: string, ...texts: (readonly [text: string, replacement: string])[]): Mutation =>
  texts.map(([text, replacement]) => ({ file, text, replacement }));

/** The mutations that the simulator must detect, keyed by name. */
export const mutations: Readonly<Record<string, Mutation>> = {
  ignoresFormat: mutation(`${delivery}/attempt.ts`, [
    'deliveryFormat ?? settings.deliveryFormat',
    'settings.deliveryFormat ?? deliveryFormat',
  ]),
  sendsBatchInOneFormat: mutation(`${delivery}/attempt.ts`, [
    'memoized((deliveryFormat: DeliveryFormat) =>',
    '((make: Function, one?: any) => (format: unknown) => (one ??= make(format)))((deliveryFormat: DeliveryFormat) =>',
  ]),
  keepsResponsesToRequests: mutation(`${delivery}/attempt.ts`, [
    'response === undefined || !isEvent',
    'response === undefined',
  ]),
  keepsResponseOfEarlierAttempt: mutation(`${deliveries}/single-deliveries.ts`, [
    "(response ? [] : ['response'])",
    "(response ? [] : ['responses'])",
  ]),
  losesResponsesOfBatch: mutation(`${deliveries}/single-deliveries.ts`, [
    'response: responses[uuid],',
    'response: undefined,',
  ]),
  confirmsNoFormat: mutation('shared/storage/subscriptions/requests.ts', [
    'if_not_exists(#requests.#hash.#deliveryFormat, :null)',
    'if_not_exists(#deliveryFormat, :null)',
  ]),
  schedulesNoStatusCheck: mutation(`${delivery}/after-effects.ts`, [
    'if (checkAt !== undefined)',
    'if (checkAt !== undefined && checkAt < 0)',
  ]),
  notifiesTwiceAnHour: mutation('shared/domain/subscriptions/status-event.ts', [
    'return now < waitUntil ? { waitUntil } : { notice: {',
    'return now < waitUntil - hourMs ? { waitUntil } : { notice: {',
  ]),
  notifiesOwnersOfStatusTopic: mutation('shared/domain/subscriptions/status-event.ts', [
    'if (topicUuid === statusTopicUuid) return undefined;',
    "if (topicUuid === '') return undefined;",
  ]),
  acquiresLeasedBatch: mutation(`${deliveries}/batch-deliveries.ts`, [
    "#leaseUntil < :now)'",
    "(#leaseUntil < :now OR #leaseUntil >= :now))'",
  ]),
  acquiresLeasedSingle: mutation(`${deliveries}/single-deliveries.ts`, [
    "AND #state = :set_state AND #leaseUntil < :now'",
    "AND #state = :set_state AND (#leaseUntil < :now OR #leaseUntil >= :now)'",
  ]),
  acquiresSingleInAnyState: mutation(`${deliveries}/single-deliveries.ts`, [
    '(#attempt < :set_attempt AND #state = :waiting)',
    '(#attempt < :set_attempt AND (#state = :waiting OR attribute_exists(#state)))',
  ]),
  recordsBatchWithoutLease: mutation(`${deliveries}/batch-deliveries.ts`, [
    "condition: '#state = :leased AND #leaseId = :lease'",
    "condition: '#state = :leased AND (#leaseId = :lease OR attribute_exists(#leaseId))'",
  ]),
  recordsSingleWithoutLease: mutation(`${deliveries}/single-deliveries.ts`, [
    "#state = :leased AND #leaseId = :lease'",
    "#state = :leased AND (#leaseId = :lease OR attribute_exists(#leaseId))'",
  ]),
  runsAfterEffectsBeforeRecord: mutation(`${delivery}/deliver-tasks.ts`, [
    'const recording = context.deliveries.record(taskIdOf(task), lease, outcomes, responses);',
    'await runAfterEffects(task, due, outcomes, context, lease);\n  const recording = context.deliveries.record(taskIdOf(task), lease, outcomes, responses);',
  ]),
  createsSingleRowsLater: mutation(`${deliveries}/batch-deliveries.ts`, [
    'const done = await transact(table, [{ Update }, ...rows]);',
    'const done = await transact(table, [{ Update }]);\n    if (done.isDone) await transact(table, rows);',
  ]),
  ignoresRefusedEntries: mutation('shared/storage/queues/store.ts', [
    "throw new InternalError('messagesRefused'",
    "if (Date.now() < 0) throw new InternalError('messagesRefused'",
  ]),
  ignoresUnprocessedKeys: mutation('shared/storage/batches.ts', [
    'left = UnprocessedKeys?.[TableName]?.Keys ?? [];',
    'left = []; void UnprocessedKeys;',
  ]),
  ignoresGeneration: mutation(`${delivery}/deliver-tasks.ts`, [
    'generation === content.generation &&',
    "(generation === content.generation || generation !== '') &&",
  ]),
  ignoresActiveSince: mutation(`${delivery}/deliver-tasks.ts`, [
    'since <= Date.parse(content.timestamp) + clockMs',
    'since <= Date.parse(content.timestamp) + 1e6 * clockMs',
  ]),
  leasesTenthOfTime: mutation(`${delivery}/delivery-context.ts`, [
    'leaseUntil: at + leaseMs,',
    'leaseUntil: at + leaseMs / 10,',
  ]),
  fixesShardsTwice: mutation(`${deliveries}/publications.ts`, [
    "'#publicationId = :publicationId AND attribute_not_exists(#shardBits)'",
    "'#publicationId = :publicationId AND (attribute_not_exists(#shardBits) OR attribute_exists(#shardBits))'",
  ]),
  countsExpiredLeaseAsServed: mutation(`${delivery}/fan-out/send-tasks.ts`, [
    "row.state === 'leased' && row.leaseUntil >= tools.now()",
    "row.state === 'leased' && row.leaseUntil >= 0",
  ]),
  countsExpiredLeaseAsDone: mutation(`${delivery}/fan-out/send-tasks.ts`, [
    "row.state === 'leased' && row.leaseUntil >= tools.now();\n        if (isWorkedOn) workedOn += 1;",
    "row.state === 'leased';",
  ]),
  ignoresLeasedTasks: mutation(`${delivery}/fan-out/send-tasks.ts`, ['if (isWorkedOn) workedOn += 1;', '']),
  readsStaleSubscriptions: mutation('shared/storage/subscriptions/changes.ts', [
    'uuids.map(key), { ConsistentRead: true }',
    'uuids.map(key), { ConsistentRead: false }',
  ]),
  sweepsRowTwice: mutation(`${deliveries}/due-rows.ts`, [
    "condition: '#sweepAt = :seen AND #sweepShard = :shard'",
    "condition: '(#sweepAt = :seen OR attribute_exists(#sweepAt)) AND (#sweepShard = :shard OR attribute_exists(#sweepShard))'",
  ]),
  repeatsAfterEffects: mutation(`${deliveries}/rows.ts`, [
    "'attribute_not_exists(#hasRunAfterEffects) AND #state <> :leased AND '",
    "'(attribute_not_exists(#hasRunAfterEffects) OR attribute_exists(#hasRunAfterEffects)) AND #state <> :leased AND '",
  ]),
  takesOwnWriteForAnothers: mutation(`${deliveries}/rows.ts`, [
    "stored?.leaseId?.S === lease.id && stored.state?.S !== 'leased'",
    "stored?.leaseId?.S === lease.id && stored.state?.S === 'none'",
  ]),
  reopensRowInAnyState: mutation(`${deliveries}/redeliveries.ts`, [
    '(#state IN (:failed, :dropped${',
    '(attribute_exists(#state) OR #state IN (:failed, :dropped${',
  ]),
  closesNoBatch: mutation(
    `${deliveries}/redeliveries.ts`,
    [
      "'attribute_not_exists(#messageShard) OR (#state = :leased AND #leaseUntil < :now)'",
      "'attribute_exists(#messageShard) AND attribute_not_exists(#messageShard) AND #state = :leased AND #leaseUntil < :now'",
    ],
    ["return closed.isDone || closed.stored?.leaseId?.S === 'closed';", 'return true || closed;'],
  ),
  closesLeasedBatch: mutation(`${deliveries}/redeliveries.ts`, [
    "(#state = :leased AND #leaseUntil < :now)'",
    "(#state = :leased AND (#leaseUntil < :now OR #leaseUntil >= :now))'",
  ]),
  movesActiveSince: mutation('shared/storage/subscriptions/requests.ts', [
    "activeSince: 'if_not_exists(#activeSince, :now)'",
    "activeSince: ':now'",
  ]),
  cleansUpNextGeneration: mutation('shared/storage/subscriptions/remove.ts', [
    "'#topicGeneration = :seen'",
    "'#topicGeneration = :seen OR attribute_exists(#topicGeneration)'",
  ]),
  recordsStepTwice: mutation(`${deliveries}/recoveries.ts`, [
    "condition: '#stepId = :step AND #isOver = :not'",
    "condition: '(#stepId = :step OR attribute_exists(#stepId)) AND (#isOver = :not OR attribute_exists(#isOver))'",
  ]),
  forgetsLateSubscriptions: mutation(`${delivery}/deliver-tasks.ts`, [
    'const missing = wanting.filter(({ uuid }) => !Object.hasOwn(recorded, uuid));',
    "const missing = wanting.filter(({ uuid }) => !Object.hasOwn(recorded, uuid) && uuid === '');",
  ]),
  overwritesLateRows: mutation(`${deliveries}/batch-deliveries.ts`, [
    'putIf(table, row, isNew)',
    "putIf(table, row, { condition: 'attribute_exists(#messageShard) OR attribute_not_exists(#messageShard)' })",
  ]),
  sendsWithoutTimeLeft: mutation(`${delivery}/attempt.ts`, [
    'timeLeftMs() >= attemptMs;',
    'timeLeftMs() >= 0 * attemptMs;',
  ]),
  publishesWithoutWaiting: mutation('functions/topics/publish-event.ts', [
    'writeEither(writes, { messageId',
    'void writeEither(writes, { messageId',
  ]),
  acceptsKeyOfOtherEvent: mutation(`${delivery}/publish.ts`, [
    'earlier.contentId === contentId) return earlier;',
    'earlier.contentId !== undefined) return earlier;',
  ]),
  dropsLeasedDelivery: mutation(`${deliveries}/single-deliveries.ts`, [
    "'#state IN (:waiting, :parked) OR (#state = :leased AND #leaseUntil < :now)'",
    "'#state IN (:waiting, :parked) OR (#state = :leased AND (#leaseUntil < :now OR #leaseUntil >= :now))'",
  ]),
  resumesWithoutEnd: mutation(
    'shared/domain/deliveries/sweep-decision.ts',
    ['export const maxResumes = 3;', 'export const maxResumes = 60;'],
    ['forMs: everyMs * 4 ** (resumes + 1)', 'forMs: everyMs'],
  ),
  ignoresBacklog: mutation('shared/domain/deliveries/sweep-decision.ts', [
    'if (!wasPostponed && servedMs > quickMs)',
    'if (!wasPostponed && servedMs > quickMs && servedMs < 0)',
  ]),
  retriesLate: mutation('shared/domain/deliveries/retry.ts', [
    'Math.ceil(endedAt + waitSeconds * 1000) + late',
    'Math.ceil(endedAt + waitSeconds * 4000) + late',
  ]),
  retriesEarly: mutation('shared/domain/deliveries/retry.ts', [
    'Math.ceil(endedAt + waitSeconds * 1000) + late',
    'Math.ceil(endedAt + waitSeconds * 700) + late',
  ]),
  extendsNoMessage: mutation(`${delivery}/after-effects.ts`, [
    "if (next !== 'retry' || !isLong) return;",
    "if (next !== 'retry' || isLong || !isLong) return;",
  ]),
  readsFirstRowShardOnly: mutation(`${delivery}/fan-out/send-tasks.ts`, [
    'Math.min(rowShardCount(shardBits), last - first + 1)',
    'Math.min(1, last - first + 1) + 0 * rowShardCount(shardBits)',
  ]),
  forgetsOpenTasks: mutation(`${delivery}/fan-out/fan-out-message.ts`, [
    'const openTasksFound = (payload.openTasksFound ?? 0) + open;',
    'const openTasksFound = open;',
  ]),
  losesLastSegment: mutation(`${delivery}/fan-out/fan-out-message.ts`, [
    'await tools.queues.fanOut.sendMany(segments.map(',
    'await tools.queues.fanOut.sendMany(segments.slice(0, Math.max(1, segments.length - 1)).map(',
  ]),
  splitsHeldShard: mutation(
    `${delivery}/fan-out/fan-out-message.ts`,
    ['held = cut < 0 ? [] : all.slice(cut);', 'held = [];'],
    [
      'if (cut > 0) open += await sendTasks(payload, segment.shardBits, all.slice(0, cut), tools);',
      'open += await sendTasks(payload, segment.shardBits, all, tools); void cut;',
    ],
  ),
  journalsNoEvent: mutation(`${delivery}/fan-out/fan-out-message.ts`, [
    'isJournaled || journalEvent(payload.notification, tools),',
    'isJournaled || journalEvent,',
  ]),
  takesLeasedImport: mutation('shared/storage/imports/store.ts', [
    "condition: '#runId = :own OR #leaseUntil <= :now'",
    "condition: '#runId = :own OR #leaseUntil <= :now OR #leaseUntil > :now'",
  ]),
  advancesImportOfOtherRun: mutation('shared/storage/imports/store.ts', [
    'condition: `#runId = :own',
    'condition: `(#runId = :own OR attribute_exists(#runId))',
  ]),
  overwritesChangedPerson: mutation('shared/storage/persons/person-changes.ts', [
    "condition: '#lastChange.#importId = :wasOf AND #lastChange.#line = :wasLine'",
    "condition: '(#lastChange.#importId = :wasOf AND #lastChange.#line = :wasLine) OR attribute_exists(#lastChange)'",
  ]),
  ignoresFailedTransaction: mutation('shared/storage/writes.ts', [
    'if (failed.size === 0) throw error;',
    'if (failed.size === 0) return { isDone: true };',
  ]),
  opensNoConfirmation: mutation(`${deliveries}/single-deliveries.ts`, [
    'await putIf(',
    "if (task.content.type === 'SubscriptionConfirmation') return;\n    await putIf(",
  ]),
  sweepsLeasedRow: mutation(`${deliveries}/single-deliveries.ts`, [
    'waitingKeys(uuid, task, lease.leaseUntil + graceMs);',
    'waitingKeys(uuid, task, lease.now);',
  ]),
  forgetsPreviousKey: mutation(`${delivery}/signing/keyring.ts`, [
    'const isOverlap = now < current.createdAt + overlapDays * dayMs;',
    'const isOverlap = now < current.createdAt + overlapDays;',
  ]),
  // Mutations of parking. In small mode, each subscription has one active message.
  parksWithoutPlace: mutation(`${deliveries}/parking.ts`, [
    '{ Put: { TableName: table.TableName, Item: toItem(place) } },',
    "{ Put: { TableName: table.TableName, Item: toItem({ ...place, taskKey: 'elsewhere' }) } },",
  ]),
  keepsTimerOfParked: mutation(`${deliveries}/parking.ts`, [
    'remove: [...indexAttributes, ...sweepStateNames],',
    'remove: [...sweepStateNames],',
  ]),
  parksWithoutParkingRow: mutation(`${deliveries}/parking.ts`, [
    'if (row !== undefined && row.closedAt === undefined) return;',
    'if (row !== undefined || now > 0) return;',
  ]),
  deletesParkingRowAtOnce: mutation(
    `${deliveries}/parking.ts`,
    ['if (now - closedAt < graceMs) return;', 'if (now - closedAt < 0) return;'],
    [
      "'#sweepAt = :seen AND #closedAt = :closedAt'",
      "'attribute_exists(#sweepAt) OR #sweepAt = :seen OR #closedAt = :closedAt'",
    ],
  ),
  neverReleases: mutation(`${delivery}/parking/visit-parking.ts`, [
    'const released = await release(parked.slice(0, Math.max(0, maxReleased - pending)), visit);',
    'const released = await release(parked.slice(0, 0 * pending), visit);',
  ]),
  deletesPlaceOfProbe: mutation(`${delivery}/parking/visit-parking.ts`, ["if (attempt === 'probing') return 0;", '']),
  countsProbes: mutation(`${deliveries}/single-deliveries.ts`, [
    "!isPostponed && next !== 'parked'",
    '!isPostponed || next === undefined',
  ]),
  dropsPlaceBeforeRelease: mutation(`${delivery}/parking/visit-parking.ts`, [
    '    const attempt = await tools.deliveries.releaseParked(place, now, expiresAt);\n',
    '    await tools.deliveries.deletePlace(place);\n    const attempt = await tools.deliveries.releaseParked(place, now, expiresAt);\n',
  ]),
};

/** The mutations that seeds rarely or never detect, with the reasons. */
export const survivors: Readonly<Record<string, string>> = {
  deletesParkingRowAtOnce:
    'limit: detected only if a run stalls for minutes between reading the parking row and parking the message',
  repeatsAfterEffects:
    'limit: detected only if two runs stall for most of their timeouts between the same two requests',
  recordsBatchWithoutLease: 'limit: detected only if AWS delays a write until another run has acquired the lease',
  deletesPlaceOfProbe: 'limit: detected only if a release begins while a probe is sent, and the probe then fails',
  closesLeasedBatch: 'limit: detected only if a redelivery starts while a run has the lease of the batch',
  ignoresBacklog: 'limit: 14 subscribers are too few to delay a queue for longer than the sweeper accepts',
};
