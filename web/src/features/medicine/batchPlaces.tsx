import { listBatchPlaces, scrapBatch } from '@aisle/contract/medicine/batch'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { MachineLink } from '../../admin/fields/ref'
import lined from '../../shelf/lines.module.css'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import type { BatchDetail } from './batchDrawer'
import { shownBatches } from './batchVerbs'
import { Listed } from './listed'
import styles from './batch.module.css'

type Place = OutputOf<typeof listBatchPlaces>['items'][number]

/** Each place with how many, and of a slot what stands before and behind. */
export function BatchPlaces({ batch }: { batch: BatchDetail }) {
  const t = useText('medicine')
  return (
    <Listed list={listBatchPlaces} query={{ batchId: batch.id }} none={t('places.none')}>
      {(places) => (
        <ul className={lined.lines}>
          {places.map((place) => (
            <li key={place.id}>
              <BatchPlace place={place} batch={batch} />
            </li>
          ))}
        </ul>
      )}
    </Listed>
  )
}

function BatchPlace({ place, batch: { id, number } }: { place: Place; batch: BatchDetail }) {
  const t = useText('medicine')
  const { kind, machineCode, slotCode, placeName, merchantName, quantity, ahead, trapped, trappedFen } = place
  const name = machineCode === null ? placeName || t(`placeKind.${kind}`) : `${machineCode} ${slotCode}`
  return (
    <>
      <span className={styles.place}>
        <strong>
          {machineCode === null ? name : <MachineLink code={machineCode} />} {slotCode}
        </strong>
        <small className="quiet">{[t(`placeKind.${kind}`), placeName, merchantName].filter(Boolean).join(' · ')}</small>
      </span>
      <span className={lined.count}>{countText(quantity)}</span>
      {ahead !== null && ahead > 0 && (
        <small className="quiet">{t('places.ahead', { pieces: countText(ahead) })}</small>
      )}
      {trapped > 0 && (
        <span className={styles.held}>
          {t('places.trapped', { pieces: countText(trapped) })} · <Money fen={trappedFen} />
        </span>
      )}
      {place.isDoubtful && <Tag tone="warn" word={t('field.isDoubtful')} />}
      {/* What is on its way is scrapped where it arrives. */}
      <CommandButton
        endpoint={scrapBatch}
        verb="scrapBatch"
        isEnabled={kind !== 'transit'}
        t={t}
        tone="danger"
        target={{ id, placeId: place.id }}
        vars={{ name, number }}
        names={['quantity', 'reason']}
        fields={{ quantity: { kind: 'count' } }}
        changes={shownBatches}
        onDone={({ waits }) => toast('good', t(waits ? 'verb.scrapBatch.waits' : 'verb.scrapBatch.done'))}
      />
    </>
  )
}
