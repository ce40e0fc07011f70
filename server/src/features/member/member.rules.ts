import { personalFields, GUARDED_UNTIL_AGE } from '@aisle/contract/member/memberRecord'

type Facts = Readonly<Record<string, unknown>>

/** Whole years on a day of the calendar; who was born on 29 February is a year older on 1 March. */
export function ageOn(birthday: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4))
  return today.slice(5) < birthday.slice(5) ? years - 1 : years
}

/** Whether a parent or guardian has to agree; where no birthday is known, who agrees is believed. */
export const needsGuardian = (birthday: string | null, today: string): boolean =>
  birthday !== null && ageOn(birthday, today) < GUARDED_UNTIL_AGE

const isPersonal = (name: string) => (personalFields as readonly string[]).includes(name)

/**
 * What the audit log keeps of a member: it is never changed, so what may have to be forgotten is not written into it;
 * only which of it changed.
 */
export function loggedOf(before: Facts | null, after: Facts): { before: Facts | null; after: Facts } {
  const plain = (facts: Facts) => Object.fromEntries(Object.entries(facts).filter(([name]) => !isPersonal(name)))
  const personal = Object.keys(after).filter(
    (name) => isPersonal(name) && JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )
  return {
    before: before && plain(before),
    after: { ...plain(after), ...(personal.length > 0 && { personal: personal.join(' ') }) },
  }
}

/** Whether a card in its name would be kept without the consent that the law asks for of a child's guardian. */
export const lacksConsent = (
  member: { birthday: string | null; consentedBy: 'self' | 'guardian' | null },
  today: string,
): boolean => needsGuardian(member.birthday, today) && member.consentedBy !== 'guardian'
