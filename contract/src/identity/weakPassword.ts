import { commonStems } from './commonPasswords'

/** Why a password would be among the first guesses. */
export type Weakness = 'own' | 'repeated' | 'run' | 'date' | 'common'

/** Passwords that the product ships, and everybody knows: nobody may choose one, and no real server accepts one. */
export const shippedPasswords: readonly string[] = ['aisle-demo']

/** Whose password it is going to be; what is not known is left out. */
export type PasswordOwner = { account?: string; names?: readonly string[]; phone?: string }

/** Besides what is guessed first, at least as many characters must be the person's own. */
const REST = 4

/**
 * Whether a password would fall in the first guesses (NIST SP 800-63B §5.1.1.2: common, repetitive, sequential and
 * context-specific ones). Asked wherever a person chooses a password, in the browser: it never travels.
 * @returns null for one that is good
 */
export function weaknessOf(password: string, owner: PasswordOwner = {}): Weakness | null {
  const lower = password.toLowerCase()
  if (shippedPasswords.includes(lower)) return 'common'
  if (isOwn(lower, owner)) return 'own'
  if (isRepeated(lower)) return 'repeated'
  if (isDate(lower)) return 'date'
  if (isRun(lower)) return 'run'
  return isCommon(lower) ? 'common' : null
}

const OWN_LEAST = 3
const PHONE_PART = 6

function isOwn(lower: string, { account = '', names = [], phone = '' }: PasswordOwner): boolean {
  const words = [account, ...names].flatMap((each) => [each, ...each.split(/[^\p{L}\p{N}]+/u)])
  const own = words.map((each) => each.trim().toLowerCase()).filter((each) => each.length >= OWN_LEAST)
  const backwards = own.map((each) => [...each].reverse().join(''))
  const digits = phone.replace(/\D/g, '')
  const parts = Array.from(
    { length: digits.length - PHONE_PART + 1 > 0 ? digits.length - PHONE_PART + 1 : 0 },
    (_, i) => digits.slice(i, i + PHONE_PART),
  )
  return [...own, ...backwards, ...parts].some((each) => lower.includes(each))
}

/** `aaaaaa`, `abababab`, `123123`, `aabbaa`. */
const isRepeated = (lower: string): boolean => new Set(lower).size <= 2 || /^(.{1,4})\1+$/.test(lower)

const YEAR = '(?:19|20)\\d\\d'
const MONTH = '(?:0[1-9]|1[0-2])'
const DAY = '(?:0[1-9]|[12]\\d|3[01])'
const dates = [YEAR + MONTH + DAY, DAY + MONTH + YEAR, MONTH + DAY + YEAR].map((each) => new RegExp(each))
const shortDate = new RegExp(`^(?:\\d\\d${MONTH}${DAY}|${DAY}${MONTH}\\d\\d|${YEAR}${MONTH}|${MONTH}${YEAR})$`)

/** A birthday, with or without separators and a few other characters. */
function isDate(lower: string): boolean {
  const plain = lower.replace(/[-./_]/g, '')
  if (shortDate.test(plain)) return true
  return dates.some((date) => date.test(plain) && plain.replace(date, '').length < REST)
}

/** Neighbours in the alphabet, among the digits and on keyboards; each is also read backwards. */
const tracks = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '!@#$%^&*()_+',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8i9',
  '1a2b3c4d5e6f7g8h9i',
  '147258369',
  '147852369',
  '159753',
].flatMap((track) => [track, [...track].reverse().join('')])
const RUN_LEAST = 3

/** Also several runs after each other: `abc123`, `qwe123!`. */
function isRun(lower: string): boolean {
  let rest = 0
  for (let at = 0; at < lower.length; ) {
    const length = runAt(lower, at)
    if (length < RUN_LEAST) rest += 1
    at += length < RUN_LEAST ? 1 : length
  }
  return rest < REST
}

function runAt(lower: string, at: number): number {
  const same = /^(.)\1*/.exec(lower.slice(at))?.[0].length ?? 0
  let longest = same
  for (let end = at + RUN_LEAST; end <= lower.length; end += 1) {
    const part = lower.slice(at, end)
    if (!tracks.some((track) => track.includes(part))) break
    longest = Math.max(longest, part.length)
  }
  return longest
}

const lookAlikes: readonly Readonly<Record<string, string>>[] = [
  {},
  { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' },
  { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' },
]
/** Longer stems may stand for most of a password; short ones only with little around them. */
const STEM_LEAST = 3

/** A listed word with digits and signs around it, however its letters are disguised; also twice. */
function isCommon(lower: string): boolean {
  const cores = [
    lower,
    lower.replace(/^[^a-z]+/, ''),
    lower.replace(/[^a-z]+$/, ''),
    lower.replace(/^[^a-z]+|[^a-z]+$/g, ''),
  ]
  return cores.some((core) => {
    if (core.length < STEM_LEAST || !isFew(lower.length - core.length)) return false
    return lookAlikes.some((alike) => {
      const word = [...core].map((sign) => alike[sign] ?? sign).join('')
      const half = word.slice(0, word.length / 2)
      return commonStems.has(word) || (half + half === word && commonStems.has(half))
    })
  })
}

/** A year and two signs, such as `@2024!`, are no more than decoration. */
const isFew = (around: number): boolean => around <= 6
