/** Who tells of what was put in or taken out: the machine that counts it, or the phone of the person who does it. */
export type Witness = 'machine' | 'phone'
export type Said = Record<Witness, number>

/**
 * How many pieces are new with what a witness adds: of one slot, product and service the larger of the two sums is what
 * was put in, or taken out, whoever is heard first. Adds to the sums, so that the next finds what is said by then.
 */
export function newlySaid(said: Said, witness: Witness, quantity: number): number {
  const before = Math.max(said.machine, said.phone)
  said[witness] += quantity
  return Math.max(said.machine, said.phone) - before
}
