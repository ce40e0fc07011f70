/**
 * Our books less what the machine would say by now: its last report, with what came out and in since. What a person
 * counted or took out here is not in it, so a count that the machine has not taken over is a drift.
 * @returns null where the machine has not spoken of this product in this slot
 */
export const stockDrift = (stock: number, reported: number | null, movedSince: number): number | null =>
  reported === null ? null : stock - reported - movedSince
