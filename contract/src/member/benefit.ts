import { z } from 'zod'
import { zAnyOf, zDay, zId, zNeeded } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'
import { cardTypes } from './card'
import { cardLimits } from './cardIssue'
import { MOST_TOPPED_UP_FEN } from './memberCard'

export const benefitRefusals = defineRefusals('member', {
  'gift.nameTaken': 409,
  'gift.state': 409,
  /** More is given than is put on, or the last day is before the first. */
  'gift.amounts': 422,
  'gift.days': 422,
  'cardDefault.taken': 409,
})

/** What an issuer gives on top of what a holder puts on a card: from an amount on, for a kind of card or all. */
export const topUpGift = entity({
  domain: 'member',
  kind: 'topUpGift',
  path: '/api/top-up-gifts',
  right: 'memberLevel',
  owner: 'merchant',
  editable: {
    name: zNeeded(40),
    /** Null: cards of every kind that can be topped up. */
    cardType: z.enum(cardTypes).nullable().default(null),
    fromFen: z.int().min(1).max(MOST_TOPPED_UP_FEN),
    giftFen: z.int().min(1).max(MOST_TOPPED_UP_FEN),
    fromDay: zDay,
    toDay: zDay.nullable().default(null),
  },
  facts: {},
  show: { fromFen: { kind: 'money' }, giftFen: { kind: 'money' } },
  states: { table: onOff, tones: onOffTones, refusal: 'gift.state' },
  unique: { top_up_gift_merchant_id_name_key: 'gift.nameTaken' },
  filters: {
    cardType: zAnyOf(cardTypes).optional(),
    state: z.enum(onOff.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['fromFen', 'name'],
})

const wrong = ['gift.amounts', 'gift.days']
export const listTopUpGifts = topUpGift.list('What issuers give on top of what is put on cards')
export const getTopUpGift = topUpGift.get('One rule of what is given on top', {})
export const addTopUpGift = topUpGift.add('Give something on top from an amount on', wrong)
export const editTopUpGift = topUpGift.edit('Change what is given on top', wrong)
export const stopTopUpGift = topUpGift.move('stop', 'Give it no longer')
export const resumeTopUpGift = topUpGift.move('resume', 'Give it again')
export const removeTopUpGift = topUpGift.remove('Delete a rule of what is given on top', [])

/** What a card of a kind begins with where nobody says otherwise when it is issued. */
export const cardDefault = entity({
  domain: 'member',
  kind: 'cardDefault',
  path: '/api/card-defaults',
  right: 'memberLevel',
  owner: 'merchant',
  fixed: { type: z.enum(cardTypes) },
  editable: { level: z.coerce.number().int().min(1).max(9).default(1), ...cardLimits },
  facts: {},
  show: {
    type: { kind: 'state', words: 'cardType', tones: {} },
    singleMaxFen: { kind: 'money' },
    dailyAmountFen: { kind: 'money' },
  },
  unique: { card_default_merchant_id_type_key: 'cardDefault.taken' },
  filters: { type: zAnyOf(cardTypes).optional(), merchantId: zId.optional() },
  sorts: ['type'],
})

export const listCardDefaults = cardDefault.list('What cards begin with, by kind')
export const getCardDefault = cardDefault.get('What cards of one kind begin with', {})
export const addCardDefault = cardDefault.add('Say what cards of a kind begin with')
export const editCardDefault = cardDefault.edit('Change what cards of a kind begin with')
export const removeCardDefault = cardDefault.remove('Let cards of a kind begin without limits again', [])
