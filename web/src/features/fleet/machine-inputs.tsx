import { listMachines } from '@aisle/contract/fleet/machine'
import { listPoints } from '@aisle/contract/fleet/point'
import { listRoutes } from '@aisle/contract/fleet/route'
import { type Thermostat, thermostatModes } from '@aisle/contract/fleet/thermostat'
import { treeOrganisations } from '@aisle/contract/people/organisation'
import { listUsers } from '@aisle/contract/people/user'
import { controlProps, type InputProps } from '../../admin/form/input'
import { refInput } from '../../admin/form/RefInput'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import './machine-form.css'

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The words of what is chosen already come along in the form's values, under names that are not sent. */
export const PointInput = refInput({
  list: listPoints,
  optionOf: ({ id, name, city }) => ({ value: id, word: name, note: city }),
  wordOf: ({ pointId, pointName, ofPoint }) => (pointId === ofPoint ? textIn(pointName) : undefined),
})

export const RouteInput = refInput({
  list: listRoutes,
  optionOf: ({ id, name }) => ({ value: id, word: name }),
  wordOf: ({ routeId, routeName, ofRoute }) => (routeId === ofRoute ? textIn(routeName) : undefined),
})

export const DeployerInput = refInput({
  list: listUsers,
  optionOf: ({ id, name, account }) => ({ value: id, word: `${name} · ${account}` }),
  wordOf: ({ deployerId, deployerName, ofDeployer }) => (deployerId === ofDeployer ? textIn(deployerName) : undefined),
})

export const MachineIdInput = refInput({
  list: listMachines,
  optionOf: ({ id, code, name }) => ({ value: id, word: `${code} ${name}` }),
})

/** Units of the machine's merchant; the person's own where the form names none. */
export function OperatorInput(props: InputProps) {
  const { value, values, onChange } = props
  const kit = useText('admin')
  const owner = values.ofMerchant ?? values.merchantId
  const input = typeof owner === 'number' ? { merchantId: owner } : {}
  const { data } = useEndpoint(treeOrganisations, input, { errors: 'silent', staleTime: 60_000 })
  const units = data?.items ?? []
  const kept = textIn(values.operatorName)
  const isKnown = value === null || value === undefined || units.some(({ id }) => id === value)
  return (
    <select
      {...controlProps(props)}
      value={typeof value === 'number' ? value : ''}
      onChange={({ target }) => onChange(target.value ? Number(target.value) : null)}
    >
      <option value="">{kit('form.none')}</option>
      {!isKnown && <option value={Number(value)}>{kept ?? String(value)}</option>}
      {units.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

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
    <div className="thermostat">
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
      {set &&
        periods.map((period, at) => {
          const edit = (part: Partial<(typeof periods)[number]>) =>
            change({ periods: periods.map((each, i) => (i === at ? { ...each, ...part } : each)) })
          const name = t('thermostat.period', { number: at + 1 })
          return (
            <div key={at} className="thermostat-period" role="group" aria-label={`${label} ${name}`}>
              <input
                type="time"
                aria-label={t('thermostat.from', { number: at + 1 })}
                value={period.from}
                onChange={({ target }) => edit({ from: target.value })}
              />
              <span aria-hidden="true">–</span>
              <input
                type="time"
                aria-label={t('thermostat.to', { number: at + 1 })}
                value={period.to}
                onChange={({ target }) => edit({ to: target.value })}
              />
              <button
                type="button"
                className="btn-plain"
                onClick={() => change({ periods: periods.filter((_, i) => i !== at) })}
              >
                {t('thermostat.drop', { number: at + 1 })}
              </button>
            </div>
          )
        })}
      {set && periods.length < MOST_PERIODS && (
        <button
          type="button"
          className="btn-plain"
          onClick={() => change({ periods: [...periods, { from: '08:00', to: '20:00' }] })}
        >
          {t('thermostat.more')}
        </button>
      )}
      {set && periods.length === 0 && <small className="quiet">{t('thermostat.allDay')}</small>}
    </div>
  )
}
