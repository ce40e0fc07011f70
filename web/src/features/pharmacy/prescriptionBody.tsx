import { ScreenLink } from '../../admin/fields/ref'
import { Ago, When } from '../../admin/fields/time'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { Timeline } from '../../ui/chart/timeline'
import type { Detail } from './prescriptionDrawer'
import { Fills } from './prescriptionFills'
import { Lines } from './prescriptionLines'
import { Warnings } from './warnings'
import styles from './pharmacy.module.css'

/** All that there is of a prescription, in the order in which it is asked for at a machine. */
export function PrescriptionBody({ detail }: { detail: Detail }) {
  const t = useText('pharmacy')
  return (
    <>
      {detail.warnings.length > 0 && (
        <Section title={t('warnings.title')}>
          <Warnings warnings={detail.warnings} />
          {detail.warningReason && (
            <p className={styles.reason}>
              {t('field.warningReason')}: {detail.warningReason}
            </p>
          )}
        </Section>
      )}
      <Section title={t('section.lines')} note={usesText(t, detail)}>
        <Lines detail={detail} />
      </Section>
      <About detail={detail} />
      <Decisions detail={detail} />
      <Section title={t('section.fills')}>
        <Fills detail={detail} />
      </Section>
      <Story detail={detail} />
    </>
  )
}

type Words = ReturnType<typeof useText<'pharmacy'>>

const usesText = (t: Words, { uses, intervalDays }: Detail): string =>
  uses === 1 ? t('uses.once') : t('uses.many', { uses, days: intervalDays })

export function About({ detail }: { detail: Detail }) {
  const t = useText('pharmacy')
  const { patientFacts, allergies, submittedAt, nextUseAt, amendedFrom, amendedTo } = detail
  const other = (one: Detail['amendedFrom']) =>
    one && (
      <ScreenLink screen="jygl/cfxq" search={{ id: String(one.id) }}>
        {one.code}
      </ScreenLink>
    )
  return (
    <>
      <Section title={t('section.condition')}>
        <p className={styles.condition}>{detail.condition}</p>
        {detail.advice && <p className={styles.advice}>{detail.advice}</p>}
      </Section>
      <Section title={t('section.patient')}>
        <Facts
          facts={[
            { label: t('field.patient'), value: detail.patient },
            { label: t('field.sex'), value: t(`sex.${detail.sex}`) },
            { label: t('field.age'), value: `${detail.age} (${detail.birthYear})` },
            { label: t('field.idNumber'), value: detail.idNumber },
            {
              label: t('field.patientFacts'),
              value: patientFacts.map((each) => t(`patientFacts.${each}`)).join(' · '),
            },
            { label: t('field.allergies'), value: allergies.join(', ') },
            { label: t('field.doctorName'), value: detail.doctorName },
            {
              label: t('field.hospitalName'),
              value: [detail.hospitalName, detail.department].filter(Boolean).join(' · '),
            },
            { label: t('field.merchantName'), value: detail.merchantName },
            { label: t('field.createdAt'), value: <When at={detail.createdAt} /> },
            { label: t('field.submittedAt'), value: submittedAt && <When at={submittedAt} /> },
            { label: t('field.expiresAt'), value: <When at={detail.expiresAt} /> },
            { label: t('field.usesLeft'), value: `${detail.usesLeft} / ${detail.uses}` },
            { label: t('uses.next', { at: '' }), value: nextUseAt && <When at={nextUseAt} /> },
            { label: t('amended.from'), value: other(amendedFrom) },
            { label: t('amended.to'), value: other(amendedTo) },
          ]}
        />
      </Section>
    </>
  )
}

function Decisions({ detail: { decisions } }: { detail: Detail }) {
  const t = useText('pharmacy')
  return (
    <Section title={t('section.decisions')}>
      {decisions.length === 0 && <p className="quiet">{t('section.decisions.empty')}</p>}
      <ul className={styles.decisions}>
        {decisions.map((each) => (
          <li key={each.signature}>
            <div className={styles.decision}>
              <Tag tone={each.verb === 'approve' ? 'good' : 'bad'} word={t(`decision.${each.verb}`)} />
              <strong>{each.by}</strong>
              <span>{t('decision.licence', { number: each.licenceNumber })}</span>
              <When at={each.at} />
            </div>
            {each.reason && <p>{each.reason}</p>}
            <div className="tags">
              <Tag
                tone={each.isGenuine ? 'good' : 'bad'}
                word={each.isGenuine ? t('decision.genuine') : t('decision.broken')}
              />
              <Tag
                tone={each.isSameContent ? 'good' : each.verb === 'approve' ? 'bad' : 'idle'}
                word={each.isSameContent ? t('decision.same') : t('decision.other')}
              />
            </div>
            <small className={styles.hash}>{t('decision.hash', { hash: each.contentHash.slice(0, 16) })}</small>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const tones: Record<string, Tone> = { approve: 'good', reject: 'bad', cancel: 'idle', expire: 'idle', release: 'warn' }

function Story({ detail: { story } }: { detail: Detail }) {
  const t = useText('pharmacy')
  return (
    <Section title={t('section.story')}>
      <Timeline
        moments={story.map(({ id, verb, who, note, at }) => ({
          key: String(id),
          tone: tones[verb] ?? 'busy',
          title: t.any(`event.${verb}`, { who: who ?? t('event.nobody') }),
          detail: note,
          when: <Ago at={at} />,
        }))}
      />
    </Section>
  )
}
