import { listVisits } from '@aisle/contract/field/visit'
import { countText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { When } from '../../admin/fields/time'
import { refetch, useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { Section } from '../../ui/feedback/drawer'
import { useText } from '../../ui/text'
import { Reviews } from './phone/reviews'

/** What phones told of the visits of an order, and what somebody has to decide of it. */
export function OrderVisits({ id }: { id: number }) {
  const t = useText('field')
  const { data } = useEndpoint(listVisits, { id })
  if (!data || data.visits.length === 0) return null
  const { visits, reviews } = data
  return (
    <Section title={t('phone.tab.visits')}>
      <ul className={lined.lines}>
        {visits.map((visit) => (
          <li key={visit.machineId}>
            <span className={lined.what}>
              <MachineLink code={visit.machineCode} /> {visit.machineName} · {visit.who}
              <small className="quiet">
                <When at={visit.openedAt} /> · {t(`phone.stage.${visit.state}`)}
              </small>
            </span>
            {visit.countNo !== null && (
              <ScreenLink screen="kcpd/jqhdkcpd" search={{ part: 'counts', open: String(visit.countId) }}>
                {visit.countNo}
              </ScreenLink>
            )}
            {visit.pictures.map(({ picture }) => (
              <a key={picture} href={picture} target="_blank" rel="noreferrer">
                <img src={picture} alt={t('phone.step.photo')} width={48} height={48} loading="lazy" />
              </a>
            ))}
            <span className={lined.count}>{countText(visit.steps)}</span>
          </li>
        ))}
      </ul>
      {reviews.length > 0 && <Reviews reviews={reviews} onDecided={() => refetch(listVisits)} />}
    </Section>
  )
}
