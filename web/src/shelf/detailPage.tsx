import type { UseQueryResult } from '@tanstack/react-query'
import { screenOf } from '@aisle/contract/screens'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { CallFailure } from '../live/failure'
import { Empty } from '../ui/feedback/empty'
import { Hints } from '../ui/feedback/hint'
import { classes } from '../ui/classes'
import { useText } from '../ui/text'
import { AppLink } from '../admin/appLink'
import { Failure } from '../admin/failure'
import styles from './detailPage.module.css'
import { useAddress } from '../admin/useAddress'

const shape = { id: z.coerce.number().int().positive().optional() }

type DetailPage<D> = {
  screen: string
  /** The list from which one is chosen. */
  from: string
  /** Reads it, and again when it changes. */
  useOne: (id: number) => UseQueryResult<D, CallFailure>
  title: (data: D) => string
  head: (data: D) => ReactNode
  actions: (data: D) => ReactNode
  children: (data: D) => ReactNode
}

/** One thing on a page of its own, named in the address. */
export function detailPage<D>(page: DetailPage<D>) {
  const { path } = screenOf(page.screen)
  return function DeclaredDetailPage() {
    const title = useText('screens').any(page.screen)
    const { id } = useAddress(path, shape).query
    return (
      <div className="list-main">
        <header className="list-head">
          <h1>{title}</h1>
        </header>
        {id ? <One key={id} id={Number(id)} page={page} /> : <Nothing from={page.from} />}
        <Hints />
      </div>
    )
  }
}

function One<D>({ id, page }: { id: number; page: DetailPage<D> }) {
  const { data, error, refetch } = page.useOne(id)
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  return (
    <section className={classes('list-card', styles.one)} aria-label={page.title(data)}>
      <h2>{page.title(data)}</h2>
      {page.head(data)}
      <div className="list-actions">{page.actions(data)}</div>
      {page.children(data)}
    </section>
  )
}

function Nothing({ from }: { from: string }) {
  const t = useText('admin')
  const list = useText('screens').any(from)
  return (
    <Empty icon="receipt" title={t('detail.none')} text={t('detail.none.hint', { list })}>
      <AppLink path={screenOf(from).path} search={{}} className="btn btn-main">
        {list}
      </AppLink>
    </Empty>
  )
}
