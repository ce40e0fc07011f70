import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** What is published before the first play on a seed. @param seed 32 bytes in hex */
export const seedHashOf = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)))

const DIGITS = 12

/**
 * The number of a play, 0 to 999, from its seed and its order's number alone: the first 48 bits of an HMAC-SHA256, as a
 * share of a thousand. Nothing that anybody could still choose when the money comes takes part in it.
 */
export function drawnNumber(seed: string, orderNo: string): number {
  const share = Number.parseInt(bytesToHex(hmac(sha256, hexToBytes(seed), utf8ToBytes(orderNo))).slice(0, DIGITS), 16)
  // Below 2^58, but a product of a 48 bit number and 1000 is exact only as an integer of any length.
  return Number((BigInt(share) * 1000n) >> 48n)
}

/** Each number below the odds wins, so that a machine set to 250 ‰ lets one play in four win. */
export const isWon = (number: number, oddsPermille: number): boolean => number < oddsPermille

type ProofFault = 'hidden' | 'seed' | 'number' | 'result'
type Proof = {
  orderNo: string
  seedHash: string
  seed: string | null
  number: number | null
  oddsPermille: number
  isWon: boolean
}

/** Recomputes a draw as anybody can. @returns what does not hold, null when all does */
export function faultOf(proof: Proof): ProofFault | null {
  if (proof.seed === null || proof.number === null) return 'hidden'
  if (seedHashOf(proof.seed) !== proof.seedHash) return 'seed'
  if (drawnNumber(proof.seed, proof.orderNo) !== proof.number) return 'number'
  return isWon(proof.number, proof.oddsPermille) === proof.isWon ? null : 'result'
}
