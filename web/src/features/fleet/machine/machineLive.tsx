import { faultText } from '@aisle/contract/device/said'
import { numberFormat } from '@aisle/contract/kernel/formatters'
import { ScreenLink } from '../../../admin/fields/ref'
import { withUnit } from '../../../admin/fields/reading'
import { Ago, Day } from '../../../admin/fields/time'
import { momentText } from '../../../ui/timeText'
import { Section } from '../../../ui/feedback/drawer'
import { Facts } from '../../../ui/facts'
import { Money } from '../../../ui/money'
import { Tag } from '../../../ui/tag'
import { currentLocale, type Text, useText } from '../../../ui/text'
import { addressOf } from '../place/address'
import { FirstContact } from './firstContact'
import { Licence } from './machineLicence'
import type { MachineDetail } from './machineDrawer'
import styles from './machine.module.css'

/** Each value stands under the message it came with, and that under its age. */
export function MachineLive({ machine }: { machine: MachineDetail }) {
  const t = useText('fleet')
  const device = useText('device')
  const label = (name: string) => t.any(`field.${name}`)
  const { slotCount, emptySlots, lowSlots } = machine
  const slots = t('live.slots', { slots: slotCount, empty: emptySlots, low: lowSlots })
  return (
    <div className={styles.live}>
      {machine.connection !== 'online' && machine.lastSeenAt && <p className={styles.stale}>{t('live.stale')}</p>}
      {!machine.lastSeenAt && machine.service !== 'retired' && <FirstContact machine={machine} />}
      <Blocked machine={machine} />
      <Section title={t('live.heartbeat')} note={<Ago at={machine.beatAt ?? machine.lastSeenAt} />}>
        <Facts facts={heartbeatFacts(machine, t, device)} />
      </Section>
      {machine.temperatureAt && (
        <Section title={t('live.measured')} note={<Ago at={machine.temperatureAt} />}>
          <Facts facts={measuredFacts(machine, t)} />
        </Section>
      )}
      <Section title={t('live.presence')} note={<Ago at={machine.lastSeenAt} />}>
        <Facts facts={linkFacts(machine, t)} />
      </Section>
      <Section title={t('live.books')} note={<Ago at={machine.lastSeenAt} />}>
        <Facts
          facts={[
            { label: label('slots'), value: slots },
            { label: label('todayFen'), value: <Today machine={machine} /> },
          ]}
        />
      </Section>
      <Section title={t('live.about')} note={<Ago at={machine.updatedAt} />}>
        <Facts facts={aboutFacts(machine, t)} />
      </Section>
      <Section title={t('live.settings')} note={<Ago at={machine.updatedAt} />}>
        <Facts facts={settingFacts(machine, t)} />
      </Section>
    </div>
  )
}

/** Customers with good codes stand in front of it too, so it is said before anything else. */
function Blocked({ machine }: { machine: MachineDetail }) {
  const t = useText('fleet')
  const { codesBlockedUntil, cardsBlockedUntil, prescriptionsBlockedUntil } = machine
  return (
    <>
      {codesBlockedUntil && (
        <p className={styles.stale}>
          {t('live.codesBlocked', { until: momentText(codesBlockedUntil, currentLocale()) })}
        </p>
      )}
      {cardsBlockedUntil && (
        <p className={styles.stale}>
          {t('live.cardsBlocked', { until: momentText(cardsBlockedUntil, currentLocale()) })}
        </p>
      )}
      {prescriptionsBlockedUntil && (
        <p className={styles.stale}>
          {t('live.prescriptionsBlocked', { until: momentText(prescriptionsBlockedUntil, currentLocale()) })}
        </p>
      )}
    </>
  )
}

/** A value that the machine never reported is no fact, so it is left out. */
function heartbeatFacts(machine: MachineDetail, t: Text<'fleet'>, device: Text<'device'>) {
  const { doorOpen, faults, clockSkewMs, appVersion, boardVersion } = machine
  const door = doorOpen ? t('door.open') : t('door.closed')
  return [
    { label: t('field.doorOpen'), value: doorOpen === null ? null : door },
    {
      label: t('field.faults'),
      value: machine.lastSeenAt && (faultText(faults.join(', '), device) || t('faults.none')),
    },
    { label: t('field.versions'), value: [appVersion, boardVersion].filter(Boolean).join(' / ') },
    { label: t('field.clockSkewMs'), value: clockSkewMs === null ? null : seconds(clockSkewMs, t) },
  ]
}

/** By its probes, in heartbeats or as a record; the air may have been measured at another time. */
function measuredFacts({ temperatureC, humidity, humidityAt }: MachineDetail, t: Text<'fleet'>) {
  const moist = humidity !== null && humidityAt && (
    <>
      {withUnit(humidity, 'percent')} · <Ago at={humidityAt} />
    </>
  )
  return [
    { label: t('field.temperatureC'), value: temperatureC === null ? null : withUnit(temperatureC, 'celsius') },
    { label: t('field.humidity'), value: moist || null },
  ]
}

/** What the machine said when it came on, and from outside of its heartbeat. */
function linkFacts({ lastSeenAt, snapshotAt, network, flowCard, signalDbm }: MachineDetail, t: Text<'fleet'>) {
  return [
    { label: t('field.lastSeenAt'), value: <Ago at={lastSeenAt} /> },
    { label: t('live.snapshot'), value: snapshotAt && <Ago at={snapshotAt} /> },
    { label: t('field.network'), value: network },
    { label: t('field.flowCard'), value: flowCard && <FlowCard card={flowCard} /> },
    { label: t('field.signal'), value: signalDbm === null ? null : withUnit(signalDbm, 'dBm') },
  ]
}

/** Its number leads to its use and limits. */
function FlowCard({ card: { iccid, carrier, cardType } }: { card: NonNullable<MachineDetail['flowCard']> }) {
  const t = useText('fleet')
  return (
    <>
      <ScreenLink screen="shj/llk" search={{ flowCard: iccid }}>
        {iccid}
      </ScreenLink>{' '}
      · {t.any(`flowCardType.${cardType}`)} · {t.any(`flowCarrier.${carrier}`)}
    </>
  )
}

/** What people say of it. */
function aboutFacts(machine: MachineDetail, t: Text<'fleet'>) {
  const label = (name: string) => t.any(`field.${name}`)
  const { manufacturedOn, warrantyUntil, deployedAt, deployerName, routeName, operatorName, retiredAt } = machine
  const { slotMode, cabinetType, cabinetCount, softwareVersion, hardwareVersion } = machine
  return [
    { label: t('service.retired'), value: retiredAt && <Ago at={retiredAt} /> },
    { label: label('category'), value: t.any(`category.${machine.category}`) },
    { label: label('merchantName'), value: machine.merchantName },
    { label: label('pointName'), value: machine.pointName },
    { label: label('address'), value: addressOf(machine) },
    { label: label('routeId'), value: routeName },
    { label: label('operatorId'), value: operatorName },
    { label: label('licenceMode'), value: <Licence machine={machine} /> },
    { label: label('cabinetType'), value: t(`cabinetType.${cabinetType}`) },
    { label: label('cabinetCount'), value: String(cabinetCount) },
    { label: label('slotMode'), value: t(`slotMode.${slotMode}`) },
    { label: label('model'), value: [machine.manufacturer, machine.model].filter(Boolean).join(' ') },
    { label: label('softwareVersion'), value: softwareVersion },
    { label: label('hardwareVersion'), value: hardwareVersion },
    { label: label('manufacturedOn'), value: manufacturedOn && <Day on={manufacturedOn} /> },
    { label: label('warrantyUntil'), value: warrantyUntil && <Day on={warrantyUntil} /> },
    { label: label('timeZone'), value: `${machine.country} · ${machine.timeZone}` },
    { label: label('deployedAt'), value: deployedAt && <Ago at={deployedAt} /> },
    { label: label('deployerId'), value: deployerName },
    { label: label('secretRotatedAt'), value: <Ago at={machine.secretRotatedAt} /> },
  ]
}

function settingFacts(machine: MachineDetail, t: Text<'fleet'>) {
  const yes = (is: boolean) => (is ? t('yes') : t('no'))
  const { temperatureMinC, temperatureMaxC, humidityMin, humidityMax, thermostat } = machine
  const { flowAlarmMb, lotteryPermille, upliftPermille } = machine
  return [
    { label: t('field.autoRefund'), value: yes(machine.autoRefund) },
    { label: t('field.shipsAfterJam'), value: <ToldFlag machine={machine} name="shipsAfterJam" /> },
    { label: t('field.shipsDirectly'), value: <ToldFlag machine={machine} name="shipsDirectly" /> },
    { label: t('field.locksStock'), value: yes(machine.locksStock) },
    { label: t('field.temperature'), value: rangeText(temperatureMinC, temperatureMaxC, 'celsius') },
    { label: t('field.humidity'), value: rangeText(humidityMin, humidityMax, 'percent') },
    { label: t('field.thermostat'), value: thermostat && thermostatText(thermostat, t) },
    { label: t('field.flowAlarmMb'), value: flowAlarmMb > 0 ? String(flowAlarmMb) : null },
    { label: t('field.lotteryPermille'), value: lotteryPermille > 0 ? String(lotteryPermille) : null },
    { label: t('field.upliftPermille'), value: upliftPermille === 0 ? null : String(upliftPermille) },
  ]
}

/** What is chosen here, and what the machine still does as long as it has not taken that over. */
function ToldFlag({ machine, name }: { machine: MachineDetail; name: 'shipsAfterJam' | 'shipsDirectly' }) {
  const t = useText('fleet')
  const yes = (is: boolean) => (is ? t('yes') : t('no'))
  const told = machine.flagsTold?.[name]
  const isTaken = told === machine[name]
  return (
    <>
      {yes(machine[name])}{' '}
      <Tag
        tone={isTaken ? 'good' : 'busy'}
        word={isTaken ? t('licence.confirmed') : t('flag.waiting')}
        hint={told === undefined ? t('licence.told.help') : t('flag.told', { value: yes(told) })}
      />
    </>
  )
}

function rangeText(low: number | null, high: number | null, unit: 'celsius' | 'percent'): string | null {
  if (low === null && high === null) return null
  return `${low === null ? '' : withUnit(low, unit)} – ${high === null ? '' : withUnit(high, unit)}`
}

function thermostatText({ mode, workingC, periods }: NonNullable<MachineDetail['thermostat']>, t: Text<'fleet'>) {
  const hours = periods.map(({ from, to }) => `${from}–${to}`).join(', ')
  return [t(`thermostat.${mode}`), withUnit(workingC, 'celsius'), hours].filter(Boolean).join(' · ')
}

const seconds = (ms: number, t: Text<'fleet'>): string =>
  t('seconds', { value: numberFormat(currentLocale(), { maximumFractionDigits: 1 }).format(ms / 1000) })

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
