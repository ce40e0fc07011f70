import {
  cancelReport,
  getReport,
  getReportLink,
  listReportRequests,
  type ReportRequest,
  reportFields,
  reportState,
} from '@aisle/contract/report/request'
import { keepReport, listKeptReports } from '@aisle/contract/report/kept'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { type Text, useText } from '../../ui/text'
import { keptForm, rolesInput } from './keptReportDrawer'

const KILOBYTE = 1024
const MEGABYTE = KILOBYTE * KILOBYTE

export function ReportDrawer({ id }: DrawerRow) {
  const t = useText('report')
  const result = useEndpoint(getReport, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ title }) => title}
      head={({ state }) => <StateCell value={state} field={reportFields.state} t={t} />}
      actions={(report) => <ReportVerbs report={report} />}
    >
      {(report) => (
        <>
          {reportState.is(report.state, 'running') && <Progress report={report} t={t} />}
          <Facts facts={factsOf(report, t)} />
        </>
      )}
    </RowDrawer>
  )
}

const inputs = { roleIds: rolesInput() }

function ReportVerbs({ report: { id, state, title, format } }: { report: ReportRequest }) {
  const t = useText('report')
  const common = { target: { id }, vars: { title }, t, changes: [listReportRequests, getReport] }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={getReportLink}
        verb="getReportLink"
        tone="main"
        isEnabled={reportState.is(state, 'done')}
        onDone={({ url }) => location.assign(url)}
      />
      <CommandButton
        {...common}
        endpoint={cancelReport}
        verb="cancelReport"
        isEnabled={reportState.can(state, 'cancel')}
      />
      <CommandButton
        {...common}
        {...keptForm}
        inputs={inputs}
        endpoint={keepReport}
        verb="keepReport"
        target={{ requestId: id }}
        initial={{ name: title, format, period: 'fixed', cadence: 'never', atHour: 8 }}
        changes={[listKeptReports]}
      />
    </>
  )
}

function Progress({ report: { rowsDone, rowsTotal }, t }: { report: ReportRequest; t: Text<'report'> }) {
  if (rowsTotal === null) return null
  const words = t('progress', { done: countText(rowsDone), total: countText(rowsTotal) })
  return (
    <label>
      {words}
      <progress value={rowsDone} max={rowsTotal} />
    </label>
  )
}

const factsOf = (report: ReportRequest, t: Text<'report'>) => [
  { label: t('field.format'), value: t.any(`format.${report.format}`) },
  { label: t('field.rowsDone'), value: countText(report.rowsDone) },
  { label: t('field.bytes'), value: report.bytes === null ? null : sizeText(report.bytes, t) },
  { label: t('field.requestedAt'), value: <When at={report.requestedAt} /> },
  { label: t('field.finishedAt'), value: report.finishedAt && <When at={report.finishedAt} /> },
  { label: t('field.expiresAt'), value: report.expiresAt && <When at={report.expiresAt} /> },
]

function sizeText(bytes: number, t: Text<'report'>): string {
  if (bytes < MEGABYTE) return t('size.kilobytes', { size: countText(Math.ceil(bytes / KILOBYTE)) })
  return t('size.megabytes', { size: countText(Math.ceil(bytes / MEGABYTE)) })
}
