import { getReport, getReportLink, listReportRequests, reportState } from '@aisle/contract/report/request'
import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient, useCommand, useEndpoint } from '../live/query'
import { useText } from '../ui/text'
import { countText } from './fields/number'
import { useLive } from './useList'
import styles from './list.module.css'

/** How far a file is, wherever its reader has gone meanwhile, and the file once it is there. */
export const exportToast = (id: number) =>
  function ExportToast({ close }: { close: () => void }) {
    // Toasts stand above the application, which brings this to its pages.
    return (
      <QueryClientProvider client={queryClient}>
        <Making id={id} close={close} />
      </QueryClientProvider>
    )
  }

function Making({ id, close }: { id: number; close: () => void }) {
  const t = useText('admin')
  const { data } = useEndpoint(getReport, { id }, { errors: 'silent' })
  useLive({ kinds: ['reportRequest'], also: [] }, [getReport, listReportRequests])
  const link = useCommand(getReportLink, {
    onSuccess: ({ url }) => {
      location.assign(url)
      close()
    },
  })
  if (!data) return <p>{t('export.started')}</p>
  const { state, title, rowsDone, rowsTotal } = data
  if (reportState.is(state, 'done')) {
    return (
      <p className={styles.exported}>
        {t('export.ready', { title, rows: countText(rowsDone) })}
        <button type="button" className="btn btn-main" onClick={() => link.mutate({ id })}>
          {t('export.download')}
        </button>
      </p>
    )
  }
  if (!reportState.is(state, 'underWay')) return <p>{t('export.failed', { title })}</p>
  return (
    <label className={styles.exported}>
      {t('export.making', { title, rows: countText(rowsDone) })}
      <progress {...(rowsTotal ? { value: rowsDone, max: rowsTotal } : {})} />
    </label>
  )
}
