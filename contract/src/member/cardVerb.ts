import { z } from 'zod'
import { endpoint, zId, zLine } from '../kernel/endpoint'
import { zFenPositive, zMovement } from '../kernel/money'
import { cancelReasons, cardState, zLogicalNo, zPhysicalNo } from './card'
import { cardLimits } from './cardIssue'
import { deskMethods } from './memberCard'

const write = { method: 'POST', access: 'memberCard.write', writes: true } as const
const at = (verb: string) => `/api/member-cards/{id}/${verb}`
const moved = z.object({ id: z.int(), state: z.enum(cardState.states) })
const changed = z.object({ id: z.int() })
const note = zLine(200).default('')

const verb = (name: string, path: string, summary: string, refusals: readonly string[] = []) =>
  endpoint({
    ...write,
    name: `member.${name}`,
    path: at(path),
    input: z.strictObject({ id: zId, note }),
    output: moved,
    refusals: ['request.notFound', 'card.state', ...refusals],
    summary,
  })
export const lockCard = verb('lockCard', 'lock', 'A card pays for nothing until it is unlocked')
export const unlockCard = verb('unlockCard', 'unlock', 'A locked card pays again')
export const reportLostCard = verb('reportLostCard', 'report-lost', 'Its holder has lost a card: nobody pays with it')
export const recoverCard = verb('recoverCard', 'recover', 'A lost card was found by its holder and pays again')
export const keepCard = verb('keepCard', 'keep', 'A card that was to be cancelled is kept, locked')

export const activateCard = endpoint({
  ...write,
  name: 'member.activateCard',
  path: at('activate'),
  /** As it came with the card; nothing where the card has none. */
  input: z.strictObject({ id: zId, code: zLine(20).default('') }),
  output: moved,
  refusals: ['request.notFound', 'card.state', 'card.wrongCode', 'card.nameless'],
  summary: 'Put a card in force by the code that came with it',
})

export const bindCard = endpoint({
  ...write,
  name: 'member.bindCard',
  path: at('bind'),
  input: z.strictObject({ id: zId, memberId: zId }),
  output: changed,
  refusals: ['request.notFound', 'card.state', 'card.bound', 'card.memberStopped', 'card.consent'],
  summary: 'Put a member’s name on a card',
})

export const unbindCard = endpoint({
  ...write,
  name: 'member.unbindCard',
  path: at('unbind'),
  input: z.strictObject({ id: zId, note }),
  output: changed,
  refusals: ['request.notFound', 'card.state', 'card.unbound', 'card.nameless', 'card.aboveLaw'],
  summary: 'Take the name off a card',
})

export const setCardLimits = endpoint({
  ...write,
  name: 'member.setCardLimits',
  path: at('limits'),
  input: z.strictObject({
    id: zId,
    version: z.int(),
    level: z.coerce.number().int().min(1).max(9),
    ...cardLimits,
    /** Only these; none: all of the issuer's and of those below it. */
    machineIds: z.array(zId).max(200).default([]),
  }),
  output: changed,
  refusals: ['request.notFound', 'card.state', 'edit.stale', 'card.machines'],
  summary: 'What a card may pay at once and in a day, and where',
})

export const replaceCard = endpoint({
  ...write,
  name: 'member.replaceCard',
  path: at('replace'),
  input: z.strictObject({ id: zId, physicalNo: zPhysicalNo, logicalNo: zLogicalNo, note }),
  output: z.object({ id: z.int(), balanceFen: zFenPositive, giftFen: zFenPositive }),
  refusals: ['request.notFound', 'card.state', 'card.sameNumber', 'card.issued'],
  summary: 'Cancel a card and move its balance, gift and limits to a new one',
})

export const cancelCard = endpoint({
  ...write,
  access: 'memberCard.cancel',
  name: 'member.cancelCard',
  path: at('cancel'),
  input: z.strictObject({ id: zId, why: z.enum(cancelReasons), note }),
  output: moved,
  refusals: ['request.notFound', 'card.state'],
  summary: 'End a card: what is owed on it is paid back next; an empty one is over at once',
})

export const payOutCard = endpoint({
  ...write,
  access: 'memberCard.payBack',
  name: 'member.payOutCard',
  path: at('pay-out'),
  input: z.strictObject({
    id: zId,
    method: z.enum(deskMethods),
    /** As the person was shown it: where it is another by now, nothing is posted. */
    paidFen: zFenPositive,
    note,
  }),
  output: moved,
  refusals: [
    'request.notFound',
    'card.state',
    'card.paidOut',
    'card.ownRequest',
    'card.cashLimit',
    'card.amountChanged',
  ],
  summary: 'Note that the holder of a cancelled card has the money back, and close it',
})

export const previewPayOut = endpoint({
  name: 'member.previewPayOut',
  method: 'GET',
  path: at('pay-out-preview'),
  access: 'memberCard.read',
  input: z.strictObject({ id: zId, why: z.enum(cancelReasons).optional() }),
  output: z.object({
    why: z.enum(cancelReasons),
    paidFen: zFenPositive,
    balanceFen: zFenPositive,
    giftFen: zFenPositive,
    /** What was paid in, with what was given on top and what of both is used, oldest first. */
    lots: z.array(z.object({ amountFen: zFenPositive, giftFen: zFenPositive, usedFen: zFenPositive })),
    movements: z.array(zMovement),
  }),
  refusals: ['request.notFound'],
  summary: 'What the holder of a card gets back when it ends, by whose wish it is, and what that would post',
})
