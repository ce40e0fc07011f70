import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getLicence, licence as declared, licenceNames } from '@aisle/contract/merchant/licence'
import { MachineLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import { Timeline } from '../../ui/chart/timeline'
import { LicenceVerbs } from './licenceVerbs'
import { Scans } from '../../shelf/scansInput'
import styles from './paperwork.module.css'

export type LicenceDetail = OutputOf<typeof getLicence>

/** What the licence is, what stops when it ends, and the terms before. */
export function LicenceDrawer({ id }: DrawerRow) {
  const t = useText('merchant')
  const result = useEndpoint(getLicence, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ kind, number }) => `${t.any(`licenceKind.${kind}`)} ${number}`}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={declared.fields.state} t={t} />
        </div>
      )}
      actions={(licence) => <LicenceVerbs licence={licence} />}
    >
      {(licence) => (
        <>
          <HangsOn licence={licence} />
          <Section title={t('licence.section.facts')}>
            <LicenceFacts licence={licence} />
          </Section>
          <Section title={t('licence.section.terms')}>
            <Terms licence={licence} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function HangsOn({ licence: { state, hangs } }: { licence: LicenceDetail }) {
  const t = useText('merchant')
  const { machines, machineCount: count } = hangs
  const isBad = licenceNames.is(state, 'bad')
  if (count === 0) return <p className="quiet">{t('licence.hangs.none')}</p>
  return (
    <Section title={t('licence.section.hangs')}>
      <p className={isBad ? styles.warning : 'quiet'} role={isBad ? 'alert' : undefined}>
        {isBad ? t('licence.hangs.bad', { count }) : t('licence.hangs.some', { count })}
      </p>
      <ul className={styles.hangs}>
        {machines.map(({ code, name }) => (
          <li key={code}>
            <MachineLink code={code} /> {name}
          </li>
        ))}
      </ul>
      {count > machines.length && <p className="quiet">{t('licence.hangs.more', { count, shown: machines.length })}</p>}
    </Section>
  )
}

function LicenceFacts({ licence }: { licence: LicenceDetail }) {
  const t = useText('merchant')
  const label = (name: string) => t.any(`field.${name}`)
  const { validFrom, validTo, daysLeft, machineCode, revokedAt, pictures } = licence
  return (
    <Facts
      facts={[
        { label: label('holder'), value: licence.holder },
        { label: label('holderKind'), value: t.any(`licenceHolder.${licence.holderKind}`) },
        { label: label('merchantName'), value: licence.merchantName },
        { label: label('issuedBy'), value: licence.issuedBy },
        { label: label('validFrom'), value: <Day on={validFrom} /> },
        { label: label('validTo'), value: validTo ? <Day on={validTo} /> : t('validity.longTerm') },
        { label: label('daysLeft'), value: daysLeft },
        { label: label('machineCode'), value: machineCode && <MachineLink code={machineCode} /> },
        { label: label('account'), value: licence.account },
        { label: label('remark'), value: licence.remark },
        { label: label('revokedAt'), value: revokedAt && <When at={revokedAt} /> },
        { label: label('reason'), value: licence.revokeReason },
        { label: label('createdAt'), value: <Ago at={licence.createdAt} /> },
        {
          label: label('pictures'),
          value: pictures.length > 0 ? <Scans {...{ pictures, label: label('pictures') }} /> : null,
        },
        { label: label('warning'), value: validTo && t('licence.warns', { days: licence.warningDays }) },
      ]}
    />
  )
}

function Terms({ licence: { terms } }: { licence: LicenceDetail }) {
  const t = useText('merchant')
  if (terms.length === 0) return <p className="quiet">{t('licence.terms.empty')}</p>
  return (
    <Timeline
      moments={terms.map((term) => ({
        key: String(term.id),
        tone: 'idle',
        title: `${term.number} · ${term.validFrom} – ${term.validTo ?? t('validity.longTerm')}`,
        detail: (
          <>
            {term.issuedBy} · {t('licence.term.replaced', { who: term.replacedBy })}
            <Scans pictures={term.pictures} label={t('field.pictures')} />
          </>
        ),
        when: <Ago at={term.replacedAt} />,
      }))}
    />
  )
}
