import { cardState } from '@aisle/contract/member/card'
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
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import type { Values } from '../../admin/form/schema'
import { useEndpoint } from '../../live/query'
import { Moves } from '../../ui/books'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { type Text, useLanguage, useText } from '../../ui/text'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import styles from './member.module.css'

type CardDetail = OutputOf<typeof getCard>

/** Of what was put on a card and what it paid, the newest stand here. */
const SHOWN = 6

/** The cards that bear a member's name, each with its balances, its limits, and what moved them. */
export function MemberCards({ memberId }: { memberId: number }) {
  const t = useText('member')
  const cards = useEndpoint(listCards, { memberId, pageSize: 50 })
  if (!cards.data) return null
  return (
    <Section title={t('section.cards')}>
      {cards.data.items.length === 0 && <p className="quiet">{t('card.none')}</p>}
      {cards.data.items.map((card) => (
        <Card key={card.id} card={card} />
      ))}
    </Section>
  )
}

function Card({ card }: { card: MemberCard }) {
  const t = useText('member')
  const { data } = useEndpoint(getCard, { id: card.id })
  return (
    <article className={styles.card} aria-label={card.logicalNo}>
      <div className="tags">
        <strong>{card.logicalNo}</strong>
        <StateCell value={card.type} field={cardFields.type} t={t} />
        <StateCell value={card.state} field={cardFields.state} t={t} />
        <TopUp card={card} />
      </div>
      {data && <CardFacts card={data} />}
      {data && <Timeline moments={momentsOf(data, t)} />}
    </article>
  )
}

function CardFacts({ card }: { card: CardDetail }) {
  const t = useText('member')
  const limit = (fen: number) => (fen === 0 ? t('card.limit.none') : <Money fen={fen} />)
  const times = (count: number) => <small className="quiet"> · {t('card.count', { count: countText(count) })}</small>
  return (
    <Facts
      facts={[
        { label: t('field.balanceFen'), value: <Money fen={card.balanceFen} /> },
        { label: t('field.giftFen'), value: <Money fen={card.giftFen} /> },
        { label: t('field.toppedUp'), value: sumWith(<Money fen={card.toppedUpFen} />, times(card.topUpCount)) },
        { label: t('field.spent'), value: sumWith(<Money fen={card.spentFen} />, times(card.spentCount)) },
        { label: t('card.limit.single'), value: limit(card.singleMaxFen) },
        { label: t('card.limit.daily'), value: limit(card.dailyAmountFen) },
        {
          label: t('card.limit.count'),
          value: card.dailyCountLimit === 0 ? t('card.limit.none') : countText(card.dailyCountLimit),
        },
        { label: t('card.limit.machines'), value: t(card.isRestricted ? 'card.machines.some' : 'card.machines.all') },
        { label: t('field.merchantName'), value: card.merchantName },
        { label: t('field.physicalNo'), value: card.physicalNo },
      ]}
    />
  )
}

const sumWith = (sum: React.ReactNode, count: React.ReactNode) => (
  <>
    {sum}
    {count}
  </>
)

function momentsOf(card: CardDetail, t: Text<'member'>): Moment[] {
  const paidIn = card.topUps.map((topUp) => ({
    at: topUp.at,
    key: `in ${topUp.id}`,
    tone: 'good' as const,
    title: `${t('card.topUp')} · ${t.any(`topUpMethod.${topUp.method}`)}`,
    detail: (
      <>
        <Money fen={topUp.amountFen} />
        {topUp.giftFen > 0 && (
          <>
            {' '}
            · {t('card.giftOnTop')} <Money fen={topUp.giftFen} />
          </>
        )}
        {[topUp.byName, topUp.note].filter(Boolean).map((word) => ` · ${word}`)}
      </>
    ),
  }))
  const paid = card.charges.map((charge) => ({
    at: charge.at,
    key: `out ${charge.orderNo}`,
    tone: 'idle' as const,
    title: t('card.paid', { machine: charge.machineCode }),
    detail: (
      <>
        <Money fen={charge.paidFen} />
        {charge.giftFen > 0 && (
          <>
            {' '}
            · {t('card.gift')} <Money fen={charge.giftFen} />
          </>
        )}
        {charge.creditedFen > 0 && (
          <>
            {' '}
            · {t('card.creditedBack')} <Money fen={charge.creditedFen} />
          </>
        )}{' '}
        ·{' '}
        <ScreenLink screen="jygl/ddgl" search={{ orderNo: charge.orderNo }}>
          {charge.orderNo}
        </ScreenLink>
      </>
    ),
  }))
  const all = [...paidIn, ...paid].sort((a, b) => b.at.localeCompare(a.at))
  return all.slice(0, SHOWN).map(({ at, ...moment }) => ({ ...moment, when: <Ago at={at} /> }))
}

/** The second look is asked for where the amount needs one. */
const withoutLook = ({ amountFen }: Values) =>
  typeof amountFen === 'number' && amountFen > TOP_UP_SECOND_LOOK_FEN ? [] : ['isConfirmed']

function TopUp({ card }: { card: MemberCard }) {
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
      initial={{ method: 'cash', giftFen: 0, isConfirmed: false }}
      vars={{ number: card.logicalNo, balance }}
      isEnabled={cardState.is(card.state, 'active') && card.type !== 'gift'}
      changes={[listCards, getCard]}
    />
  )
}

function TopUpMoves({ values }: { values: Values }) {
  const asked = previewTopUp.input.safeParse(Object.fromEntries(moving.map((name) => [name, values[name]])))
  const { data } = useEndpoint(previewTopUp, asked.data ?? { id: 1, amountFen: 1, method: 'cash' }, {
    errors: 'silent',
    enabled: asked.success,
  })
  return asked.success && data ? <Moves moves={data.movements} /> : null
}

const moving = ['id', 'amountFen', 'giftFen', 'method'] as const
