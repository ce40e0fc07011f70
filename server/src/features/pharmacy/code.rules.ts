import { randomInt } from 'node:crypto'

/** No letter that reads as a digit or as another (Crockford's base 32). */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const DRAWN = 12

/** The day it was written, and 60 bits that nobody guesses. @param day `2026-11-20` */
export function newCode(day: string): string {
  const drawn = Array.from({ length: DRAWN }, () => letters.charAt(randomInt(letters.length))).join('')
  return `RX${day.slice(2).replaceAll('-', '')}${drawn}`
}

/** Written by hand, letters that are not used are taken for what they look like. */
export const codeAsTyped = (typed: string): string =>
  typed.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replaceAll('O', '0')

/** The family name, and a star for each letter after it: 张*, 欧阳**. */
export function maskedName(name: string): string {
  const isHan = /^\p{Script=Han}/u.test(name)
  const shown = isHan ? 1 : Math.min(2, name.length)
  return name.slice(0, shown) + '*'.repeat(Math.max(1, Math.min(3, name.length - shown)))
}

/** The first three and the last digit: enough to compare with a card that somebody shows. */
export const maskedNumber = (number: string): string =>
  `${number.slice(0, 3)}${'*'.repeat(Math.max(0, number.length - 4))}${number.slice(-1)}`

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** GB 11643: seventeen digits and their check, the birth year among them. */
export function isIdNumber(number: string, birthYear: number): boolean {
  if (!/^[1-9][0-9]{16}[0-9X]$/.test(number)) return false
  const sum = weights.reduce((total, weight, at) => total + weight * Number(number[at]), 0)
  return number[17] === '10X98765432'[sum % 11] && Number(number.slice(6, 10)) === birthYear
}
