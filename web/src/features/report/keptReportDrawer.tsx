import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { onOff } from '@aisle/contract/kernel/states'
import {
  editKeptReport,
  getKeptReport,
  keptReportFields,
  listKeptReports,
  listShareRoles,
  removeKeptReport,
  resumeKeptReport,
  runKeptReport,
  stopKeptReport,
  takeOverKeptReport,
} from '@aisle/contract/report/kept'
import { listReportRequests, reportFields } from '@aisle/contract/report/request'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { severalInput } from '../../admin/form/severalInput'
import { RemoveButton } from '../../admin/removeButton'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { useText } from '../../ui/text'
import styles from './report.module.css'

type Detail = OutputOf<typeof getKeptReport>

/** How often, of which days, in which form, and with whom: of a new one as of one that stands. */
export const keptForm = {
  fields: keptReportFields,
  names: ['name', 'period', 'cadence', 'atHour', 'format', 'roleIds'],
}
export const rolesInput = (known: Readonly<Record<string, string>> = {}) =>
  severalInput(listShareRoles, ({ id, name }) => ({ value: id, word: name }), known)

export function KeptReportDrawer({ id }: DrawerRow) {
  const t = useText('report')
  const result = useEndpoint(getKeptReport, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state }) => <StateCell value={state} field={keptReportFields.state} t={t} />}
      actions={(kept) => <Verbs kept={kept} />}
    >
      {(kept) => (
        <>
          <Known kept={kept} />
          <Section title={t('kept.files')}>
            {kept.files.length === 0 && <p className="quiet">{t('kept.files.none')}</p>}
            <ul className={styles.keptFiles}>
              {kept.files.map(({ id: fileId, requestedAt, state, rows }) => (
                <li key={fileId}>
                  <When at={requestedAt} />
                  <ScreenLink screen="tjfx/bbdc" search={{ open: String(fileId) }}>
                    {t('kept.rows', { count: countText(rows) })}
                  </ScreenLink>
                  <StateCell value={state} field={reportFields.state} t={t} />
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Known({ kept }: { kept: Detail }) {
  const t = useText('report')
  const { period, cadence, atHour, nextAt, format, ownerName, sharedWith, screen, title, query } = kept
  const hour = t('kept.hour', { hour: String(atHour) })
  return (
    <Facts
      facts={[
        {
          label: t('field.title'),
          value: (
            <ScreenLink screen={screen} search={query}>
              {title}
            </ScreenLink>
          ),
        },
        { label: t('field.period'), value: t(`keptPeriod.${period}`) },
        { label: t('field.cadence'), value: `${t(`cadence.${cadence}`)}${cadence === 'never' ? '' : ` ${hour}`}` },
        { label: t('field.nextAt'), value: nextAt && <When at={nextAt} /> },
        { label: t('field.format'), value: t(`format.${format}`) },
        { label: t('field.ownerName'), value: ownerName },
        { label: t('field.roleIds'), value: sharedWith.join(', ') || null },
      ]}
    />
  )
}

function Verbs({ kept }: { kept: Detail }) {
  const t = useText('report')
  const { id, state, name, isOwn, roleIds, sharedWith, version } = kept
  const common = { t, target: { id }, vars: { name }, changes: [listKeptReports, getKeptReport, listReportRequests] }
  if (!isOwn) return <CommandButton {...common} endpoint={takeOverKeptReport} verb="takeOverKeptReport" tone="main" />
  const known = Object.fromEntries(roleIds.map((role, at) => [String(role), sharedWith[at] ?? '']))
  return (
    <>
      <CommandButton {...common} endpoint={runKeptReport} verb="runKeptReport" tone="main" />
      <CommandButton
        {...common}
        {...keptForm}
        inputs={{ roleIds: rolesInput(known) }}
        endpoint={editKeptReport}
        verb="editKeptReport"
        target={{ id, version }}
        initial={kept}
      />
      <CommandButton {...common} endpoint={stopKeptReport} verb="stopKeptReport" isEnabled={onOff.can(state, 'stop')} />
      <CommandButton
        {...common}
        endpoint={resumeKeptReport}
        verb="resumeKeptReport"
        isEnabled={onOff.can(state, 'resume')}
      />
      <RemoveButton
        {...common}
        endpoint={removeKeptReport}
        verb="removeKeptReport"
        isEnabled
        changes={[listKeptReports]}
      />
    </>
  )
}
