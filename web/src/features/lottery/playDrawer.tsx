import { claimFields } from '@aisle/contract/lottery/claim'
import { getPlay, playFields } from '@aisle/contract/lottery/play'
import { claimState, playState, prizeState } from '@aisle/contract/lottery/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { AddClaim } from './claimVerbs'
import { DrawProof } from './drawProof'
import styles from './lottery.module.css'

export type PlayDetail = OutputOf<typeof getPlay>

/** What was staked for what, how it was drawn and that it was drawn fairly, and where the prize is. */
export function PlayDrawer({ id }: DrawerRow) {
  const t = useText('lottery')
  const result = useEndpoint(getPlay, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ productName, orderNo }) => `${productName} · ${orderNo}`}
      head={({ state, prizeState: prize }) => (
        <div className="tags">
          <StateCell value={state} field={playFields.state} t={t} />
          {prize !== 'none' && <StateCell value={prize} field={playFields.prizeState} t={t} />}
        </div>
      )}
      actions={({ orderNo, prizeState: prize, claims }) => (
        <AddClaim
          orderNo={orderNo}
          isEnabled={prizeState.can(prize, 'collect') && claims.every(({ state }) => claimState.is(state, 'rejected'))}
        />
      )}
    >
      {(play) => (
        <>
          <PlayFacts play={play} />
          {play.number !== null && <DrawProof play={play} />}
          {playState.is(play.state, 'won') && <Shipment play={play} />}
          {play.claims.length > 0 && <Claims play={play} />}
          {play.redeemedAt && <Redemption play={play} />}
        </>
      )}
    </RowDrawer>
  )
}

function PlayFacts({ play }: { play: PlayDetail }) {
  const t = useText('lottery')
  const words = useText('trade')
  const { orderNo, machineCode, machineName, openedAt, drawnAt } = play
  return (
    <Section title={t('section.play')}>
      <Facts
        facts={[
          {
            label: t('field.orderNo'),
            value: (
              <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
                {orderNo}
              </ScreenLink>
            ),
          },
          {
            label: t('field.machineName'),
            value: (
              <>
                <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
                  {machineCode}
                </ScreenLink>{' '}
                {machineName}
              </>
            ),
          },
          { label: t('field.merchantName'), value: play.merchantName },
          { label: t('field.slotCode'), value: play.slotCode },
          { label: t('field.method'), value: words.any(`method.${play.method}`) },
          { label: t('field.stakeFen'), value: <Money fen={play.stakeFen} /> },
          { label: t('field.prizeFen'), value: <Money fen={play.prizeFen} /> },
          { label: t('field.costFen'), value: <Money fen={play.costFen} /> },
          { label: t('field.oddsPermille'), value: countText(play.oddsPermille) },
          { label: t('field.openedAt'), value: <When at={openedAt} /> },
          { label: t('field.drawnAt'), value: drawnAt && <When at={drawnAt} /> },
        ]}
      />
    </Section>
  )
}

function Shipment({ play }: { play: PlayDetail }) {
  const t = useText('lottery')
  const words = useText('trade')
  const { shipState, shipSentAt, shipReceivedAt, finishedAt, motorCode, sensorCode } = play
  return (
    <Section title={t('section.shipment')}>
      <Facts
        facts={[
          { label: t('field.shipState'), value: words.any(`shipState.${shipState}`) },
          { label: t('field.shipSentAt'), value: shipSentAt && <When at={shipSentAt} /> },
          { label: t('field.shipReceivedAt'), value: shipReceivedAt && <When at={shipReceivedAt} /> },
          { label: t('field.finishedAt'), value: finishedAt && <When at={finishedAt} /> },
          { label: t('field.codes'), value: [motorCode, sensorCode].filter(Boolean).join(' / ') || null },
        ]}
      />
    </Section>
  )
}

function Claims({ play: { claims } }: { play: PlayDetail }) {
  const t = useText('lottery')
  return (
    <Section title={t('section.claims')}>
      <ul className={styles.lines}>
        {claims.map(({ id, state, claimant, createdAt }) => (
          <li key={id}>
            <ScreenLink screen="jygl/hgsh" search={{ open: String(id) }}>{`#${id} ${claimant}`}</ScreenLink>
            <StateCell value={state} field={claimFields.state} t={t} />
            <Ago at={createdAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Redemption({ play: { redeemedAt, redeemedByName } }: { play: PlayDetail }) {
  const t = useText('lottery')
  return (
    <Section title={t('section.redemption')}>
      <Facts
        facts={[
          { label: t('field.redeemedAt'), value: redeemedAt && <When at={redeemedAt} /> },
          { label: t('field.redeemedByName'), value: redeemedByName },
        ]}
      />
    </Section>
  )
}
