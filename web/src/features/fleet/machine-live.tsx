import { ScreenLink } from '../../admin/fields/ref'
import { Ago } from '../../admin/fields/time'
import { Section } from '../../ui/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { currentLocale, type Text, useText } from '../../ui/text'
import type { MachineDetail } from './machine-drawer'
import './machine.css'

/** Each value stands under the message it came with, and that under its age. */
export function MachineLive({ machine }: { machine: MachineDetail }) {
  const t = useText('fleet')
  const label = (name: string) => t.any(`field.${name}`)
  const { slotCount, emptySlots, lowSlots } = machine
  const slots = t('live.slots', { slots: slotCount, empty: emptySlots, low: lowSlots })
  return (
    <div className="machine-live">
      {machine.connection !== 'online' && machine.lastSeenAt && <p className="stale">{t('live.stale')}</p>}
      <Section title={t('live.heartbeat')} note={<Ago at={machine.lastSeenAt} />}>
        <Facts facts={heartbeatFacts(machine, t)} />
      </Section>
      <Section title={t('live.snapshot')} note={<Ago at={machine.snapshotAt} />}>
        <Facts
          facts={[
            { label: label('slots'), value: slots },
            { label: label('todayFen'), value: <Today machine={machine} /> },
          ]}
        />
      </Section>
      <Section title={t('live.about')}>
        <Facts
          facts={[
            { label: label('category'), value: t.any(`category.${machine.category}`) },
            { label: label('merchantName'), value: machine.merchantName },
            { label: label('pointName'), value: machine.pointName },
            { label: label('address'), value: addressOf(machine) },
            { label: label('licenceMode'), value: t.any(`licence.${machine.licenceMode}`) },
            { label: label('autoRefund'), value: machine.autoRefund ? t('yes') : t('no') },
            { label: label('model'), value: [machine.manufacturer, machine.model].filter(Boolean).join(' ') },
            { label: label('timeZone'), value: machine.timeZone },
            { label: label('deployedAt'), value: machine.deployedAt && <Ago at={machine.deployedAt} /> },
            { label: label('secretRotatedAt'), value: <Ago at={machine.secretRotatedAt} /> },
          ]}
        />
      </Section>
    </div>
  )
}

/** A city that is its own province is named once. */
const addressOf = ({ province, city, address }: MachineDetail): string =>
  [...new Set([province, city, address])].join(' ')

/** A value that the machine never reported is no fact, so it is left out. */
function heartbeatFacts(machine: MachineDetail, t: Text<'fleet'>) {
  const { temperatureC, doorOpen, faults, clockSkewMs, appVersion, boardVersion } = machine
  const door = doorOpen ? t('door.open') : t('door.closed')
  return [
    { label: t('field.temperatureC'), value: temperatureC === null ? null : celsius(temperatureC) },
    { label: t('field.doorOpen'), value: doorOpen === null ? null : door },
    { label: t('field.faults'), value: faults.length > 0 ? faults.join(', ') : t('faults.none') },
    { label: t('field.versions'), value: [appVersion, boardVersion].filter(Boolean).join(' / ') },
    { label: t('field.clockSkewMs'), value: clockSkewMs === null ? null : seconds(clockSkewMs, t) },
  ]
}

const celsius = (degrees: number): string =>
  new Intl.NumberFormat(currentLocale(), { style: 'unit', unit: 'celsius', maximumFractionDigits: 1 }).format(degrees)

const seconds = (ms: number, t: Text<'fleet'>): string =>
  t('seconds', { value: new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 1 }).format(ms / 1000) })

function Today({ machine: { code, todayFen, todayCount } }: { machine: MachineDetail }) {
  const t = useText('fleet')
  return (
    <>
      <Money fen={todayFen} /> · {t('live.todayCount', { count: todayCount })} ·{' '}
      <ScreenLink screen="jygl/ddgl" search={{ machineCode: code }}>
        {t('live.orders')}
      </ScreenLink>
    </>
  )
}
