import { type CountLine, countState, explainLines } from '@aisle/contract/counting/count'
import type { ReactNode } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { Day } from '../../admin/fields/time'
import { Scans, ScansInput } from '../../shelf/scansInput'
import { Figures } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { type Text, useText } from '../../ui/text'
import type { CountDetail } from './countDrawer'
import { shownCounts } from './countVerbs'
import styles from './counting.module.css'

const isOff = ({ difference }: CountLine) => difference !== null && difference !== 0

/** Both counts beside the books; what differs stands first, with what it costs and why. */
export function CountLines({ count }: { count: CountDetail }) {
  const t = useText('counting')
  const { items, isBlind } = count
  const lines = isBlind ? items : [...items.filter(isOff), ...items.filter((line) => !isOff(line))]
  const off = items.filter(isOff)
  const sum = (of: (line: CountLine) => number | null) => off.reduce((total, line) => total + (of(line) ?? 0), 0)
  return (
    <>
      {!isBlind && (
        <Figures
          facts={[
            { label: t('field.differing'), value: countText(off.length) },
            { label: t('field.deltaPieces'), value: signed(sum(({ difference }) => difference)) },
            { label: t('count.cost'), value: <Money fen={sum(({ costFen }) => costFen)} /> },
          ]}
        />
      )}
      <ul className={styles.lines}>
        {lines.map((line) => (
          <Line key={line.id} line={line} count={count} t={t} />
        ))}
      </ul>
    </>
  )
}

const signed = (pieces: number | null): string => {
  if (pieces === null) return '–'
  return pieces > 0 ? `+${countText(pieces)}` : countText(pieces)
}
const foundText = (pieces: number | null) => (pieces === null ? '–' : countText(pieces))

function Line({ line, count, t }: { line: CountLine; count: CountDetail; t: Text<'counting'> }) {
  const { slotCode, productName, batch, expiresOn, counted, second, book, difference, costFen, late } = line
  const isAgain = second !== null || line.needsSecond
  return (
    <li data-off={isOff(line) || undefined}>
      <span className={styles.what}>
        <strong>
          {slotCode} {productName}
        </strong>
        <small className="quiet">
          {batch ?? (line.isMedicine ? t('count.noBatch') : '')} {expiresOn && <Day on={expiresOn} />}
        </small>
      </span>
      <dl className={styles.figures}>
        <Figure label={t('count.first')} value={foundText(counted)} note={line.countedBy} />
        {isAgain && <Figure label={t('count.second')} value={foundText(second)} note={line.secondBy} />}
        {!count.isBlind && <Figure label={t('count.book')} value={foundText(book)} />}
        {!count.isBlind && <Figure label={t('count.difference')} value={signed(difference)} />}
        {costFen !== null && costFen !== 0 && <Figure label={t('count.cost')} value={<Money fen={costFen} />} />}
        {late !== 0 && <Figure label={t('count.late')} value={signed(late)} />}
      </dl>
      {line.isSuperseded && <Tag tone="idle" word={t('count.superseded')} />}
      <Why line={line} count={count} t={t} />
    </li>
  )
}

function Figure({ label, value, note }: { label: string; value: ReactNode; note?: string | null }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value} {note && <small className="quiet">{note}</small>}
      </dd>
    </div>
  )
}

const fields = { reason: { kind: 'state', words: 'differenceReason', tones: {} } } as const

function Why({ line, count, t }: { line: CountLine; count: CountDetail; t: Text<'counting'> }) {
  const { id, slotCode, reason, note, pictures } = line
  return (
    <span className={styles.why}>
      {reason && <Tag tone="busy" word={t(`differenceReason.${reason}`)} />}
      {note && <small>{note}</small>}
      {pictures.length > 0 && <Scans pictures={pictures} label={t('field.pictures')} />}
      {countState.can(count.state, 'post') && isOff(line) && (
        <CommandButton
          t={t}
          endpoint={explainLines}
          verb="explainLines"
          target={{ id: count.id, lineIds: [id] }}
          vars={{ slot: slotCode }}
          names={['reason', 'note', 'pictures']}
          fields={fields}
          inputs={{ pictures: ScansInput }}
          initial={{ reason: reason ?? 'miscount', note, pictures }}
          changes={shownCounts}
        />
      )}
    </span>
  )
}
