import { type BookingDetail, bookingFields, getBooking } from '@aisle/contract/advert/booking'
import { creativeFields } from '@aisle/contract/advert/creative'
import { countText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { StateCell, StateTags } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { TimeChart } from '../../ui/chart/timeChart'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { Picture } from '../../ui/picture'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { BookingVerbs } from './bookingVerbs'

type Props = { booking: BookingDetail }

/** What was booked, what it shows, where it stands, and what was played of it. */
export function BookingDrawer({ id }: DrawerRow) {
  const t = useText('advert')
  const result = useEndpoint(getBooking, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state, problems }) => (
        <div className="tags">
          <StateCell value={state} field={bookingFields.state} t={t} />
          <StateTags value={problems} field={bookingFields.problems} t={t} />
        </div>
      )}
      actions={(booking) => <BookingVerbs booking={booking} />}
    >
      {(booking) => (
        <>
          <Known booking={booking} />
          <Days booking={booking} />
          <Machines booking={booking} />
          <Shown booking={booking} />
        </>
      )}
    </RowDrawer>
  )
}

function Known({ booking }: Props) {
  const t = useText('advert')
  const { advertiser, contractNo, startsOn, endsOn, fromHour, toHour, playsPerHour, priority } = booking
  const { priceKind, priceFen, dueFen, bookedPlays, provenPlays, merchantName, createdBy, createdAt } = booking
  return (
    <Section title={t('booking.facts')}>
      <Facts
        facts={[
          { label: t('field.advertiser'), value: [advertiser, contractNo].filter(Boolean).join(' · ') },
          {
            label: t('field.provenPlays'),
            value: t('booking.proved', { proven: countText(provenPlays), booked: countText(bookedPlays) }),
          },
          { label: t('field.dueFen'), value: dueFen !== null && <Money fen={dueFen} /> },
          {
            label: t('field.priceFen'),
            value: (
              <>
                <Money fen={priceFen} /> {t(`priceKind.${priceKind}`)}
              </>
            ),
          },
          {
            label: t('field.period'),
            value: (
              <>
                <Day on={startsOn} /> – <Day on={endsOn} />
              </>
            ),
          },
          { label: t('field.hours'), value: t('booking.hours', { from: fromHour, to: toHour }) },
          { label: t('field.playsPerHour'), value: countText(playsPerHour) },
          { label: t('field.priority'), value: countText(priority) },
          { label: t('section.targets'), value: <Where booking={booking} /> },
          { label: t('field.merchantName'), value: merchantName },
          { label: t('field.createdBy'), value: createdBy },
          { label: t('field.createdAt'), value: <When at={createdAt} /> },
        ]}
      />
    </Section>
  )
}

function Where({ booking: { targets } }: Props) {
  const t = useText('advert')
  const kinds = [
    ['machineIds', targets.machines],
    ['groupIds', targets.groups],
    ['pointIds', targets.points],
    ['merchantIds', targets.merchants],
  ] as const
  const named = kinds.filter(([, of]) => of.length > 0)
  if (named.length === 0) return t('booking.anyMachine')
  return named.map(([kind, of]) => (
    <div key={kind}>
      {t(`field.${kind}`)}: {of.map(({ name }) => name).join(', ')}
    </div>
  ))
}

function Days({ booking: { days } }: Props) {
  const t = useText('advert')
  const said = (proven: number, booked: number) =>
    t('booking.proved', { proven: countText(proven), booked: countText(booked) })
  return (
    <Section title={t('section.days')} note={t('section.days.help')}>
      {days.length === 0 ? (
        <p className="quiet">{t('booking.noDays')}</p>
      ) : (
        <TimeChart
          label={t('section.days')}
          fromZero
          lines={[
            {
              label: t('field.provenPlays'),
              shape: 'bars',
              colour: '--primary',
              points: days.map(({ proven }, at) => ({ at, value: proven })),
            },
            {
              label: t('field.bookedPlays'),
              shape: 'line',
              colour: '--muted',
              points: days.map(({ booked }, at) => ({ at, value: booked })),
            },
          ]}
          valueText={countText}
          atText={(place) => days[place]?.day ?? ''}
          markText={(place) => days[place]?.day.slice(5) ?? ''}
        >
          <table className="hidden-text">
            <tbody>
              {days.map(({ day, booked, proven }) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td>{said(proven, booked)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TimeChart>
      )}
    </Section>
  )
}

const tones = { school: 'idle', full: 'warn', notTaken: 'busy', failed: 'bad' } as const

function Machines({ booking: { atMachines } }: Props) {
  const t = useText('advert')
  const device = useText('device')
  return (
    <Section title={t('section.machines')} note={t('section.machines.help')}>
      {atMachines.length === 0 && <p className="quiet">{t('booking.noMachines')}</p>}
      <ul className={lined.lines}>
        {atMachines.map(({ code, name, wanted, reported, problem, detail, provenPlays }) => (
          <li key={code}>
            <span>
              <MachineLink code={code} /> {name}
            </span>
            {problem ? (
              <Tag
                tone={tones[problem]}
                word={t(`bookingProblem.${problem}`)}
                hint={detail && device.has(`detail.${detail}`) ? device.any(`detail.${detail}`) : (detail ?? undefined)}
              />
            ) : (
              <Tag tone="good" word={t('booking.playing')} />
            )}
            <small className="quiet">
              {reported === wanted
                ? t('booking.version', { wanted })
                : t('booking.versions', { wanted, reported: reported ?? '–' })}
            </small>
            <span>{countText(provenPlays)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const PREVIEW_PX = 56

function Shown({ booking: { creatives } }: Props) {
  const t = useText('advert')
  return (
    <Section title={t('section.creatives')}>
      <ul className={lined.lines}>
        {creatives.map(({ id, name, state, preview }) => (
          <li key={id}>
            <Picture src={preview} size={PREVIEW_PX} />
            <ScreenLink screen="gggl/cgggl" search={{ part: 'creatives', open: String(id) }}>
              {name}
            </ScreenLink>
            <StateCell value={state} field={creativeFields.state} t={t} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
