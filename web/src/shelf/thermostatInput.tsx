import { type Thermostat, thermostatModes } from '@aisle/contract/fleet/thermostat'
import { TimeInput } from '../ui/control/dayInput'
import { useText } from '../ui/text'
import type { InputProps } from '../admin/form/input'
import styles from './thermostat.module.css'

const MOST_PERIODS = 3
const isThermostat = (value: unknown): value is Thermostat =>
  typeof value === 'object' && value !== null && 'mode' in value

/** Off, or a mode with its temperature and up to three periods of the day. */
export function ThermostatInput({ id, value, onChange, isLocked, describedBy, label }: InputProps) {
  const t = useText('fleet')
  const set = isThermostat(value) ? value : null
  const periods = set?.periods ?? []
  const change = (part: Partial<Thermostat>) => onChange({ mode: 'cooling', workingC: 4, periods: [], ...set, ...part })
  return (
    <div className={styles.thermostat}>
      <select
        id={id}
        disabled={isLocked}
        aria-describedby={describedBy}
        value={set?.mode ?? ''}
        onChange={({ target }) => {
          const mode = thermostatModes.find((each) => each === target.value)
          if (mode) change({ mode })
          else onChange(null)
        }}
      >
        <option value="">{t('thermostat.none')}</option>
        {thermostatModes.map((mode) => (
          <option key={mode} value={mode}>
            {t(`thermostat.${mode}`)}
          </option>
        ))}
      </select>
      {set && (
        <label>
          <span>{t('thermostat.workingC')}</span>
          <input
            type="number"
            step="0.5"
            min={-25}
            max={65}
            disabled={isLocked}
            value={Number.isFinite(set.workingC) ? set.workingC : ''}
            onChange={({ target }) => change({ workingC: target.valueAsNumber })}
          />
        </label>
      )}
      {set && <Periods label={label} periods={periods} onChange={(next) => change({ periods: next })} />}
    </div>
  )
}

type Period = Thermostat['periods'][number]

/** Of the day, at most three; none is the whole day. */
function Periods(props: { label: string; periods: readonly Period[]; onChange: (periods: Period[]) => void }) {
  const { label, periods, onChange } = props
  const t = useText('fleet')
  return (
    <>
      {periods.map((period, at) => {
        const edit = (part: Partial<Period>) =>
          onChange(periods.map((each, i) => (i === at ? { ...each, ...part } : each)))
        const name = t('thermostat.period', { number: at + 1 })
        return (
          <div key={at} className={styles.period} role="group" aria-label={`${label} ${name}`}>
            <TimeInput
              aria-label={t('thermostat.from', { number: at + 1 })}
              value={period.from}
              onChange={(from) => edit({ from })}
              onWrong={(from) => edit({ from })}
            />
            <span aria-hidden="true">–</span>
            <TimeInput
              aria-label={t('thermostat.to', { number: at + 1 })}
              value={period.to}
              onChange={(to) => edit({ to })}
              onWrong={(to) => edit({ to })}
            />
            <button type="button" className="btn-plain" onClick={() => onChange(periods.filter((_, i) => i !== at))}>
              {t('thermostat.drop', { number: at + 1 })}
            </button>
          </div>
        )
      })}
      {periods.length < MOST_PERIODS && (
        <button
          type="button"
          className="btn-plain"
          onClick={() => onChange([...periods, { from: '08:00', to: '20:00' }])}
        >
          {t('thermostat.more')}
        </button>
      )}
      {periods.length === 0 && <small className="quiet">{t('thermostat.allDay')}</small>}
    </>
  )
}
