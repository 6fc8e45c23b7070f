import { channelSpeed } from './delivery-channel.ts';
import { fanOutSpeed } from './delivery-fan-out.ts';
import { optionsOf } from './parts.ts';
import { comparisonRow, report } from './report.ts';

// Measures deliveries and fan-out: `npm run bench -- delivery --rounds 15`

const { rounds, subscribers } = optionsOf('delivery');
// A fan-out round takes several seconds, so a third of the rounds is enough.
const compared = [...(await channelSpeed(rounds)), ...(await fanOutSpeed(Math.ceil(rounds / 3), subscribers))];
const how = `${rounds} alternating rounds, a third of them for the fan-out; medians (and least)`;
await report('delivery', how, compared.map(comparisonRow), compared);
