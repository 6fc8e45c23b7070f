/** What an image file says of itself, as far as it bounds what reading it costs. */
export interface ImageHeader {
  /** Pixels of the largest picture in it. */
  readonly pixels: number;
  /** Frames of an animation, or pages. */
  readonly frames: number;
  /** Times that a decoder goes over the picture. */
  readonly scans: number;
  /** Bytes of its largest colour profile, and of all that it says beside its pixels. */
  readonly profileBytes: number;
  readonly metadataBytes: number;
}

/** A header that is being read; it is done with as soon as something is over its limit. */
export type Counting = { -readonly [Name in keyof ImageHeader]: number };

export const startCounting = (): Counting => ({ pixels: 0, frames: 0, scans: 1, profileBytes: 0, metadataBytes: 0 });

/** Adds what a picture of this size means. */
export function countPicture(counting: Counting, width: number, height: number): void {
  counting.pixels = Math.max(counting.pixels, width * height);
}

/** Adds what a colour profile of this size means. */
export function countProfile(counting: Counting, bytes: number): void {
  counting.profileBytes = Math.max(counting.profileBytes, bytes);
  counting.metadataBytes += bytes;
}
