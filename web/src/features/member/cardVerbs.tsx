import { cardState, cardTypeRules, CASH_BACK_MOST_FEN } from '@aisle/contract/member/card'
import * as verbs from '@aisle/contract/member/cardVerb'
import { getMember, listMembers } from '@aisle/contract/member/member'
import { cardFields, getCard, listCards } from '@aisle/contract/member/memberCard'
import { listMachines } from '@aisle/contract/fleet/machine'
import { moneyText } from '@aisle/contract/kernel/text'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { refInput } from '../../admin/form/refInput'
import { severalInput } from '../../admin/form/severalInput'
import type { Values } from '../../admin/form/schema'
import { useEndpoint } from '../../live/query'
import { Moves } from '../../ui/books'
import { useLanguage, useText } from '../../ui/text'
import { TopUp } from './topUp'

export type CardDetail = OutputOf<typeof getCard>

export const cardChanges = [listCards, getCard, listMembers, getMember]

export const MemberInput = refInput({
  list: listMembers,
  query: { state: 'active' },
  optionOf: ({ id, number, name, phone }) => ({ value: id, word: `${name} ${number}`, note: phone }),
})
const machinesInput = (known: CardDetail['machines']) =>
  severalInput(
    listMachines,
    ({ id, code, name, pointName }) => ({ value: id, word: `${code} ${name}`, note: pointName }),
    Object.fromEntries(known.map(({ id, code, name }) => [id, `${code} ${name}`])),
  )

const moves = [
  ['lock', verbs.lockCard],
  ['unlock', verbs.unlockCard],
  ['reportLost', verbs.reportLostCard],
  ['recover', verbs.recoverCard],
  ['keep', verbs.keepCard],
] as const

/** What a card's state allows stands ready; what it does not is greyed with the reason. */
export function CardVerbs({ card }: { card: CardDetail }) {
  const t = useText('member')
  const { id, state, logicalNo: number, version, memberId, type } = card
  const common = { t, fields: cardFields, target: { id }, vars: { number }, changes: cardChanges }
  const [Machines] = useState(() => machinesInput(card.machines))
  const isStanding = cardState.is(state, 'standing')
  return (
    <>
      <TopUp card={card} />
      {cardState.can(state, 'activate') && (
        <CommandButton
          {...common}
          endpoint={verbs.activateCard}
          verb="activateCard"
          without={() => (card.hasCode ? [] : ['code'])}
          isEnabled={memberId !== null || !cardTypeRules[type].isNamed}
        />
      )}
      {memberId === null ? (
        <CommandButton
          {...common}
          endpoint={verbs.bindCard}
          verb="bindCard"
          inputs={{ memberId: MemberInput }}
          isEnabled={isStanding}
        />
      ) : (
        <CommandButton
          {...common}
          endpoint={verbs.unbindCard}
          verb="unbindCard"
          isEnabled={isStanding && (!cardTypeRules[type].isNamed || cardState.is(state, 'not_activated'))}
        />
      )}
      {moves
        .filter(([move]) => cardState.can(state, move))
        .map(([move, endpoint]) => (
          <CommandButton key={move} {...common} endpoint={endpoint} verb={`${move}Card`} />
        ))}
      <CommandButton
        {...common}
        endpoint={verbs.setCardLimits}
        verb="setCardLimits"
        target={{ id, version }}
        inputs={{ machineIds: Machines }}
        initial={{ ...card, machineIds: card.machines.map((each) => each.id) }}
        isEnabled={isStanding}
      />
      <CommandButton
        {...common}
        endpoint={verbs.replaceCard}
        verb="replaceCard"
        isEnabled={cardState.can(state, 'replace')}
      />
      <CommandButton
        {...common}
        endpoint={verbs.cancelCard}
        verb="cancelCard"
        tone="danger"
        initial={{ why: 'holder' }}
        preview={({ values }: { values: Values }) => <Owed id={id} why={values.why} />}
        isEnabled={cardState.can(state, 'cancel')}
      />
      {cardState.is(state, 'over') && <PayOut card={card} />}
    </>
  )
}

/** The amount is as it is worked out; who pays says how. */
function PayOut({ card: { id, logicalNo, balanceFen, giftFen, cancelWhy } }: { card: CardDetail }) {
  const t = useText('member')
  const language = useLanguage()
  const { data } = useEndpoint(verbs.previewPayOut, { id }, { errors: 'silent', enabled: balanceFen + giftFen > 0 })
  if (!data) return null
  const { paidFen } = data
  return (
    <CommandButton
      t={t}
      endpoint={verbs.payOutCard}
      verb="payOutCard"
      fields={cardFields}
      target={{ id, paidFen }}
      initial={{ method: paidFen > CASH_BACK_MOST_FEN ? 'transfer' : 'cash' }}
      vars={{ number: logicalNo, amount: moneyText(paidFen, language) }}
      preview={() => <Owed id={id} why={cancelWhy} />}
      changes={[...cardChanges, verbs.previewPayOut]}
    />
  )
}

/** How what is paid back comes about, lot by lot, and what it posts. */
function Owed({ id, why }: { id: number; why: unknown }) {
  const t = useText('member')
  const language = useLanguage()
  const asked = verbs.previewPayOut.input.safeParse({ id, ...(why ? { why } : {}) })
  const { data } = useEndpoint(verbs.previewPayOut, asked.data ?? { id }, { errors: 'silent', enabled: asked.success })
  if (!data) return null
  const money = (fen: number) => moneyText(fen, language)
  return (
    <>
      <p>
        <strong>{t('owed.back', { amount: money(data.paidFen) })}</strong> {t(`owed.${data.why}`)}
      </p>
      <ul>
        {data.lots.map(({ amountFen, giftFen, usedFen }, n) => (
          <li key={`${n} ${amountFen}`}>
            {t('owed.lot', { paid: money(amountFen), gift: money(giftFen), used: money(usedFen) })}
          </li>
        ))}
      </ul>
      <Moves moves={data.movements} />
    </>
  )
}
