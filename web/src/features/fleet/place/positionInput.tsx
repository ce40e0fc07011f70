import type { Position } from '@aisle/contract/fleet/point'
import { lazy } from 'react'
import { numberOf } from '../../../ui/amount'
import type { InputProps } from '../../../admin/form/input'
import { useText } from '../../../ui/text'
import { Part } from '../../../ui/part'
import styles from './pointMap.module.css'

/** The map comes with the first form that needs it. */
export const LazyPointMap = lazy(async () => ({ default: (await import('./pointMap')).PointMap }))

type Typed = { longitude?: unknown; latitude?: unknown }
/** Nothing marked yet. */
const UNMARKED = { longitude: '', latitude: '' }

/** A place, marked on the map or typed; the map follows what is typed. */
export function PositionInput(props: InputProps) {
  const { id, value, onChange, onBlur, isInvalid, isLocked, describedBy } = props
  const t = useText('fleet')
  const typed: Typed = typeof value === 'object' && value !== null ? value : UNMARKED
  // `120.` and `120.50` are numbers once nobody types on.
  const settle = (name: 'longitude' | 'latitude') => {
    const number = angleOf(typed[name])
    if (number !== null && number !== typed[name]) onChange({ ...typed, [name]: number })
  }
  const part = (name: 'longitude' | 'latitude') => (
    <label>
      <small>{t(`map.${name}`)}</small>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        disabled={isLocked}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        value={typeof typed[name] === 'number' ? String(typed[name]) : String(typed[name] ?? '')}
        onBlur={() => {
          settle(name)
          onBlur()
        }}
        onChange={({ target }) => onChange({ ...typed, [name]: readAngle(target.value) })}
      />
    </label>
  )
  return (
    <div id={id} className={styles.pointMap}>
      <div className={styles.numbers}>
        {part('longitude')}
        {part('latitude')}
      </div>
      <Part>
        <LazyPointMap position={markedIn(typed)} onMark={onChange} />
      </Part>
      <small className="field-rule">{t('map.hint')}</small>
    </div>
  )
}

/** What is still being typed (`120.`) stays a text. */
const readAngle = (text: string): number | string => (/[.\s-]$|\.\d*0$/.test(text) ? text : (numberOf(text) ?? text))

function markedIn({ longitude, latitude }: Typed): Position | null {
  const [lon, lat] = [angleOf(longitude), angleOf(latitude)]
  return lon === null || lat === null ? null : { longitude: lon, latitude: lat }
}

const angleOf = (value: unknown): number | null =>
  typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? numberOf(value) : null
