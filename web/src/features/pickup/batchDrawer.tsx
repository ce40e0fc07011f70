import { batchFields, getBatch, pickupBatchState } from '@aisle/contract/pickup/batch'
import { codeFields } from '@aisle/contract/pickup/pickupCode'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import { BatchVerbs } from './batchVerbs'
import styles from './pickup.module.css'

export type BatchDetail = OutputOf<typeof getBatch>

/** How often a batch that is being made is asked how far it is, beside what the server tells by itself. */
const LOOK_MS = 2_000

/** How far a batch is, how its codes stand, what they give where, and what may be done with all of them. */
export function BatchDrawer({ id }: DrawerRow) {
  const t = useText('pickup')
  const result = useEndpoint(
    getBatch,
    { id },
    {
      errors: 'throw',
      refetchInterval: ({ state: { data } }) =>
        data && (pickupBatchState.is(data.state, 'making') || data.isFollowing) && LOOK_MS,
    },
  )
  return (
    <RowDrawer
      result={result}
      title={({ description, count }) => t('batch.title', { description, count: countText(count) })}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={batchFields.state} t={t} />
        </div>
      )}
      actions={(batch) => <BatchVerbs batch={batch} />}
    >
      {(batch) => (
        <>
          {pickupBatchState.is(batch.state, 'making') && <Making batch={batch} />}
          <Section title={t('section.states')}>
            <States batch={batch} />
          </Section>
          <Section title={t('section.content')}>
            <Goods batch={batch} />
          </Section>
          <Section title={t('section.batch')}>
            <BatchFacts batch={batch} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Making({ batch: { made, count } }: { batch: BatchDetail }) {
  const t = useText('pickup')
  return (
    <div className={styles.making} role="status">
      <progress max={count} value={made} aria-label={t('batch.progress')} />
      <span>{t('batch.made', { made: countText(made), count: countText(count) })}</span>
    </div>
  )
}

/** Each number leads to its codes. */
function States({ batch: { id, byState, pieces, shipped, isFollowing } }: { batch: BatchDetail }) {
  const t = useText('pickup')
  return (
    <>
      <ul data-part="pickup-states" className={styles.states}>
        {byState.map(({ state, count }) => (
          <li key={state}>
            <StateCell value={state} field={codeFields.state} t={t} />
            <ScreenLink screen="jygl/qhmgl" search={{ batchId: String(id), state }}>
              {countText(count)}
            </ScreenLink>
          </li>
        ))}
      </ul>
      <p className="quiet">{t('batch.given', { shipped: countText(shipped), pieces: countText(pieces) })}</p>
      {isFollowing && (
        <p className="quiet" role="status">
          {t('batch.following')}
        </p>
      )}
    </>
  )
}

function Goods({ batch: { products, pickupsAllowed } }: { batch: BatchDetail }) {
  const t = useText('pickup')
  return (
    <>
      <ul className={styles.lines}>
        {products.map(({ code, name, quantity }) => (
          <li key={code}>
            <span>
              {name} × {quantity}
            </span>{' '}
            <small className="quiet">{code}</small>
          </li>
        ))}
      </ul>
      <p className="quiet">{t('batch.pickups', { count: pickupsAllowed })}</p>
    </>
  )
}

function BatchFacts({ batch }: { batch: BatchDetail }) {
  const t = useText('pickup')
  const { places, cancelledAt } = batch
  return (
    <Facts
      facts={[
        { label: t('field.merchantName'), value: batch.merchantName },
        { label: t('field.content'), value: batch.content },
        { label: t('field.scope'), value: t(`scope.${batch.scope}`) },
        {
          label: t('field.places'),
          value: places.length > 0 && <Places places={places} />,
        },
        { label: t('field.expiresAt'), value: <When at={batch.expiresAt} /> },
        { label: t('field.createdAt'), value: <When at={batch.createdAt} /> },
        { label: t('field.createdByName'), value: batch.createdByName },
        { label: t('field.cancelledAt'), value: cancelledAt && <When at={cancelledAt} /> },
        { label: t('field.endedByName'), value: batch.cancelledByName },
        { label: t('field.reason'), value: batch.cancelReason },
      ].filter(({ value }) => value !== false)}
    />
  )
}

const Places = ({ places }: { places: BatchDetail['places'] }) => (
  <ul className={styles.lines}>
    {places.map(({ kind, code, name }) => (
      <li key={`${kind}${code}${name}`}>
        {code && (
          <ScreenLink screen="shj/wdshj" search={{ code }}>
            {code}
          </ScreenLink>
        )}{' '}
        {name}
      </li>
    ))}
  </ul>
)
