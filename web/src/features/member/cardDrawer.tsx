import { cardFields, getCard } from '@aisle/contract/member/memberCard'
import { ScreenLink, ScreenLinks } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Timeline } from '../../ui/chart/timeline'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { type CardDetail, CardVerbs } from './cardVerbs'
import { CardFacts, momentsOf } from './memberCards'

/** At the counter: what is on the card, whose it is, what may be done, and what was put on it and paid with it. */
export function CardDrawer({ id }: DrawerRow) {
  const t = useText('member')
  const result = useEndpoint(getCard, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ logicalNo }) => logicalNo}
      head={({ type, state }) => (
        <div className="tags">
          <StateCell value={type} field={cardFields.type} t={t} />
          <StateCell value={state} field={cardFields.state} t={t} />
        </div>
      )}
      actions={(card) => <CardVerbs key={card.version} card={card} />}
    >
      {(card) => (
        <>
          <CardFacts card={card} />
          <Belongs card={card} />
          <Section
            title={t('section.moved')}
            note={<ScreenLinks to={moneyScreens.map((screen) => [screen, { q: card.logicalNo }])} />}
          >
            {card.topUps.length + card.charges.length === 0 ? (
              <p className="quiet">{t('card.unmoved')}</p>
            ) : (
              <Timeline moments={momentsOf(card, t, 30)} />
            )}
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Belongs({ card }: { card: CardDetail }) {
  const t = useText('member')
  const { holderName, memberId, machines, replaces, replacedBy, cancelWhy, cancelAskedAt, cancelAskedBy } = card
  const toCard = (number: string) => (
    <ScreenLink screen="hygl/wdhyk" search={{ q: number }}>
      {number}
    </ScreenLink>
  )
  return (
    <Facts
      facts={[
        {
          label: t('field.holderName'),
          value: memberId ? (
            <ScreenLink screen="hygl/wdhy" search={{ open: String(memberId) }}>
              {holderName}
            </ScreenLink>
          ) : (
            t('cardHolder.nameless')
          ),
        },
        { label: t('field.machineIds'), value: machines.map(({ code, name }) => `${code} ${name}`).join(' · ') },
        { label: t('field.replaces'), value: replaces && toCard(replaces) },
        { label: t('field.replacedBy'), value: replacedBy && toCard(replacedBy) },
        {
          label: t('field.why'),
          value: cancelWhy && cancelAskedAt && (
            <>
              {t(`cancelWhy.${cancelWhy}`)} · {cancelAskedBy} · <When at={cancelAskedAt} />
            </>
          ),
        },
        { label: t('field.paidOut'), value: card.paidOutFen > 0 && <Money fen={card.paidOutFen} /> },
        { label: t('field.createdAt'), value: <When at={card.createdAt} /> },
      ]}
    />
  )
}

const moneyScreens = ['hygl/czmx', 'hygl/kkmx', 'hygl/hykrz'] as const
