import type { Screen } from '@aisle/contract/kernel/screen'
import { Suspense } from 'react'
import { can, useSession } from '../live/session'
import { usePageTitle } from '../ui/pageTitle'
import { useText } from '../ui/text'
import { AddressNotice } from './addressNotice'
import { Forbidden } from './forbidden'
import { NotBuilt } from './notBuilt'
import { pageFor } from './pages'
import styles from './pages.module.css'

export function ScreenPage({ screen }: { screen: Screen }) {
  const t = useText('screens')
  usePageTitle(t.any(screen.key))
  // Rights may be given and taken while the page is open: it and its buttons are drawn anew with them.
  useSession()
  if (!can(screen.access)) return <Forbidden screen={screen} />
  const page = pageFor(screen)
  if (!page) return <NotBuilt screen={screen} />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <AddressNotice />
      <page.Component />
    </Suspense>
  )
}

/** The shape of what comes: a heading, a bar of filters, rows. */
function PageSkeleton() {
  const t = useText('kernel')
  return (
    <div data-part="page-skeleton" className={styles.pageSkeleton} role="status" aria-label={t('loading')}>
      <span className={styles.pageSkeletonTitle} />
      <span className={styles.pageSkeletonBar} />
      <span className={styles.pageSkeletonRows} />
    </div>
  )
}
