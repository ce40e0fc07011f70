import { cardState, cardTypeRules } from '@aisle/contract/member/card'
import {
  cardFields,
  getCard,
  listCards,
  type MemberCard,
  previewTopUp,
  topUpCard,
  TOP_UP_SECOND_LOOK_FEN,
} from '@aisle/contract/member/memberCard'
import { moneyText } from '@aisle/contract/kernel/text'
import { CommandButton } from '../../admin/commandButton'
import type { Values } from '../../admin/form/schema'
import { useEndpoint } from '../../live/query'
import { Moves } from '../../ui/books'
import { useLanguage, useText } from '../../ui/text'

/** The second look is asked for where the amount needs one. */
const withoutLook = ({ amountFen }: Values) =>
  typeof amountFen === 'number' && amountFen > TOP_UP_SECOND_LOOK_FEN ? [] : ['isConfirmed']

export function TopUp({
  card,
}: {
  card: Pick<MemberCard, 'id' | 'logicalNo' | 'state' | 'type' | 'balanceFen' | 'giftFen'>
}) {
  const t = useText('member')
  const balance = moneyText(card.balanceFen + card.giftFen, useLanguage())
  return (
    <CommandButton
      t={t}
      endpoint={topUpCard}
      verb="topUpCard"
      fields={cardFields}
      names={['physicalNo', 'amountFen', 'giftFen', 'method', 'note', 'isConfirmed']}
      without={withoutLook}
      preview={TopUpMoves}
      target={{ id: card.id }}
      initial={{ method: 'cash', isConfirmed: false }}
      vars={{ number: card.logicalNo, balance }}
      isEnabled={cardState.is(card.state, 'active') && cardTypeRules[card.type].canTopUp}
      changes={[listCards, getCard]}
    />
  )
}

function TopUpMoves({ values }: { values: Values }) {
  const t = useText('member')
  const language = useLanguage()
  const asked = previewTopUp.input.safeParse(
    Object.fromEntries(moving.map((name) => [name, values[name] ?? undefined])),
  )
  const { data } = useEndpoint(previewTopUp, asked.data ?? { id: 1, amountFen: 1, method: 'cash' }, {
    errors: 'silent',
    enabled: asked.success,
  })
  if (!asked.success || !data) return null
  const { movements, ruleGiftFen } = data
  return (
    <>
      {ruleGiftFen !== null && <p className="quiet">{t('topUp.rule', { amount: moneyText(ruleGiftFen, language) })}</p>}
      <Moves moves={movements} />
    </>
  )
}

const moving = ['id', 'amountFen', 'giftFen', 'method'] as const
