import { cardFields, getCard, listCards, type MemberCard } from '@aisle/contract/member/memberCard'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { type Text, useText } from '../../ui/text'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import styles from './member.module.css'
import { TopUp } from './topUp'

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

export function CardFacts({ card }: { card: CardDetail }) {
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

export function momentsOf(card: CardDetail, t: Text<'member'>, shown = SHOWN): Moment[] {
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
  return all.slice(0, shown).map(({ at, ...moment }) => ({ ...moment, when: <Ago at={at} /> }))
}
