import { claimState } from '@aisle/contract/lottery/states'
import { claimFields, getClaim } from '@aisle/contract/lottery/claim'
import { playFields } from '@aisle/contract/lottery/play'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { Scans } from '../../shelf/scansInput'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { ClaimVerbs } from './claimVerbs'
import styles from './lottery.module.css'

export type ClaimDetail = OutputOf<typeof getClaim>

/** Who claims which prize, what proves it, where the prize can be taken from, and who decided. */
export function ClaimDrawer({ id }: DrawerRow) {
  const t = useText('lottery')
  const result = useEndpoint(getClaim, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ productName, claimant }) => `#${id} ${productName} · ${claimant}`}
      head={({ state, prizeState }) => (
        <div className="tags">
          <StateCell value={state} field={claimFields.state} t={t} />
          <StateCell value={prizeState} field={playFields.prizeState} t={t} />
        </div>
      )}
      actions={(claim) => <ClaimVerbs claim={claim} />}
    >
      {(claim) => (
        <>
          <ClaimFacts claim={claim} />
          <PrizeFacts claim={claim} />
          {claimState.is(claim.state, 'pending') && <Places claim={claim} />}
        </>
      )}
    </RowDrawer>
  )
}

function ClaimFacts({ claim }: { claim: ClaimDetail }) {
  const t = useText('lottery')
  const { pictures, reviewedAt } = claim
  return (
    <Section title={t('section.claim')}>
      <Facts
        facts={[
          { label: t('field.claimant'), value: claim.claimant },
          { label: t('field.phone'), value: claim.phone },
          { label: t('field.note'), value: claim.note },
          { label: t('field.pictures'), value: <Scans pictures={pictures} label={t('field.pictures')} /> },
          { label: t('field.createdAt'), value: <When at={claim.createdAt} /> },
          { label: t('field.createdByName'), value: claim.createdByName },
          { label: t('field.reviewedAt'), value: reviewedAt && <When at={reviewedAt} /> },
          { label: t('field.reviewedByName'), value: claim.reviewedByName },
          { label: t('field.reviewNote'), value: claim.reviewNote },
          {
            label: t('field.placeName'),
            value: claimState.is(claim.state, 'passed') ? (claim.placeName ?? t('place.outside')) : null,
          },
        ]}
      />
    </Section>
  )
}

function PrizeFacts({ claim }: { claim: ClaimDetail }) {
  const t = useText('lottery')
  const { orderNo, playId, machineCode } = claim
  return (
    <Section title={t('section.play')}>
      <Facts
        facts={[
          {
            label: t('field.orderNo'),
            value: (
              <ScreenLink screen="jygl/hgxq" search={{ open: String(playId) }}>
                {orderNo}
              </ScreenLink>
            ),
          },
          { label: t('field.drawnAt'), value: <When at={claim.wonAt} /> },
          {
            label: t('field.machineName'),
            value: (
              <>
                <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
                  {machineCode}
                </ScreenLink>{' '}
                {claim.machineName}
              </>
            ),
          },
          { label: t('field.slotCode'), value: claim.slotCode },
          { label: t('field.merchantName'), value: claim.merchantName },
          { label: t('field.prizeFen'), value: <Money fen={claim.prizeFen} /> },
        ]}
      />
    </Section>
  )
}

function Places({ claim: { places } }: { claim: ClaimDetail }) {
  const t = useText('lottery')
  return (
    <Section title={t('section.places')}>
      {places.length === 0 && <p className="quiet">{t('places.none')}</p>}
      <ul className={styles.lines}>
        {places.map(({ id, kind, name, quantity }) => (
          <li key={id}>{t.any(`place.${kind}`, { name, count: countText(quantity) })}</li>
        ))}
      </ul>
    </Section>
  )
}
