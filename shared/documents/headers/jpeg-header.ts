import { limits } from '../limits.ts';
import { countPicture, type ImageHeader, startCounting } from './image-header.ts';

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Markers without content: stuffing, TEM, restarts, start of image. */
const isBare = (marker: number): boolean => marker < 2 || (marker >= 0xd0 && marker <= 0xd8);
const isNote = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
const profileName = Buffer.from('ICC_PROFILE\0');

/** Reads the markers of a JPEG (ITU-T T.81, annex B), those between its scans too. */
export function readJpegHeader(file: Buffer): ImageHeader {
  const counting = startCounting();
  counting.frames = 1;
  counting.scans = 0;
  let at = file.indexOf(0xff, 2);
  while (at >= 0 && at + 4 <= file.length && counting.scans <= limits.jpegScans) {
    const marker = file.readUInt8(at + 1);
    if (marker === 0xd9) break;
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else {
      const length = file.readUInt16BE(at + 2);
      if (isFrame(marker)) countPicture(counting, file.readUInt16BE(at + 7), file.readUInt16BE(at + 5));
      if (marker === 0xda) counting.scans += 1;
      if (isNote(marker)) counting.metadataBytes += length;
      const isProfile = marker === 0xe2 && file.subarray(at + 4, at + 16).equals(profileName);
      if (isProfile) counting.profileBytes += length;
      at += 2 + length;
    }
    at = file.indexOf(0xff, at);
  }
  return counting;
}
