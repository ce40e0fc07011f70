import { createContext, type ReactNode, use } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { CallFailure } from '../live/failure'
import { Drawer } from '../ui/feedback/drawer'
import { Icon } from '../ui/icons'
import { useText } from '../ui/text'
import { Failure } from './failure'
import styles from './list.module.css'

/** What a list hands to the drawer of its open row; `open` is its id where that is a text. */
export type DrawerRow = { id: number; open: string; tab: string | null; pickTab: (tab: string) => void }

type Around = { close: () => void; previous?: () => void; next?: () => void }

export const RowDrawerContext = createContext<Around>({ close: () => undefined })

/** The drawer of a row: shape first, then what the call answers; the neighbours of the row are one press away. */
export function RowDrawer<D>(props: {
  result: UseQueryResult<D, CallFailure>
  title: (data: D) => ReactNode
  head?: (data: D) => ReactNode
  actions?: (data: D) => ReactNode
  children: (data: D) => ReactNode
}) {
  const { result, title, head, actions, children } = props
  const { close } = use(RowDrawerContext)
  const t = useText('admin')
  const { data, error } = result
  const ready = data !== undefined
  return (
    <Drawer
      title={ready ? title(data) : error ? t('error.title') : t('list.loading')}
      tools={<Tools />}
      head={ready && head?.(data)}
      actions={ready && actions?.(data)}
      onClose={close}
    >
      {ready && children(data)}
      {!ready && (error ? <Failure failure={error} retry={() => void result.refetch()} /> : <Bones />)}
    </Drawer>
  )
}

function Tools() {
  const { close, previous, next } = use(RowDrawerContext)
  const t = useText('admin')
  return (
    <>
      <button
        type="button"
        className="icon-btn turn-up"
        aria-label={t('drawer.previous')}
        disabled={!previous}
        onClick={previous}
      >
        <Icon name="down" />
      </button>
      <button type="button" className="icon-btn" aria-label={t('drawer.next')} disabled={!next} onClick={next}>
        <Icon name="down" />
      </button>
      <button type="button" className="icon-btn" aria-label={t('drawer.close')} onClick={close}>
        <Icon name="close" />
      </button>
    </>
  )
}

const Bones = () => (
  <div className={styles.drawerBones} aria-hidden="true">
    {Array.from({ length: 9 }, (_, at) => (
      <span key={at} className="bone" />
    ))}
  </div>
)
