import { reportFormats, requestReport } from '@aisle/contract/report/request'
import { useCommand } from '../live/query'
import { can } from '../live/session'
import { MenuButton } from '../ui/control/menuButton'
import { toastBody } from '../ui/feedback/notice'
import { useText } from '../ui/text'
import { placed } from './address'
import { exportToast } from './exportToast'
import panelStyles from '../ui/panel.module.css'

/** What the list shows under its filter, as a file: made by a job, found again in the download centre. */
export function ExportButton(props: { list: string; query: Record<string, string>; columns: readonly string[] }) {
  const { list, query, columns } = props
  const kit = useText('admin')
  const command = useCommand(requestReport, {
    onSuccess: ({ id }) => toastBody('info', exportToast(id)),
  })
  if (!can(requestReport.access)) return null
  const { pageSize: _, ...filter } = placed(query, {})
  return (
    <MenuButton
      label={kit('export.button')}
      face={kit('export.button')}
      className={panelStyles.tool}
      entries={reportFormats.map((format) => ({
        key: format,
        label: kit(`export.${format}`),
        onPick: () => command.mutate({ list, query: filter, columns: [...columns], format }),
      }))}
    />
  )
}
