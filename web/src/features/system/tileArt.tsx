import type { ReactNode } from 'react'
import styles from './landing.module.css'

export type Art =
  | 'shop'
  | 'bigData'
  | 'lease'
  | 'inspection'
  | 'factory'
  | 'afterSales'
  | 'announcement'
  | 'configuration'

/** One drawing a system, of lines and two tints, so that they belong together. */
const drawings: Record<Art, ReactNode> = {
  shop: (
    <>
      <rect className={styles.fill} x="10" y="6" width="28" height="37" rx="4" />
      <path d="M15 13h11M15 21h11M15 29h11M31 13h2M31 18h2M15 37h18" />
      <path className={styles.strong} d="M17 9.5v3.5M21 17.5v3.5M24 9.5v3.5M18 25.5v3.5M24 25.5v3.5" />
    </>
  ),
  bigData: (
    <>
      <rect className={styles.fill} x="5" y="8" width="38" height="25" rx="3" />
      <path d="M18 41h12M24 33v8" />
      <path className={styles.strong} d="M12 26l7-7 6 4 11-9" />
      <path d="M12 29h24" />
    </>
  ),
  lease: (
    <>
      <path className={styles.fill} d="M12 5h17l8 8v30H12z" />
      <path d="M29 5v8h8M18 21h13M18 27h13" />
      <path className={styles.strong} d="M18 36c3-4 4 3 7-1s4 0 6 0" />
    </>
  ),
  inspection: (
    <>
      <path className={styles.fill} d="M24 43s13-12 13-23a13 13 0 1 0-26 0c0 11 13 23 13 23Z" />
      <path className={styles.strong} d="m18.5 20 4 4 7-7.5" />
    </>
  ),
  factory: (
    <>
      <path className={styles.fill} d="M5 42V22l11 6v-6l11 6v-6l11 6v-16h5v30z" />
      <path d="M12 35h4M21 35h4M30 35h4" />
      <path className={styles.strong} d="M40.5 7c0-3 3-3 3-5" />
    </>
  ),
  afterSales: (
    <>
      <path className={styles.fill} d="M9 27v-4a15 15 0 0 1 30 0v4l-5 9h-5" />
      <rect className={styles.solid} x="7" y="24" width="7" height="11" rx="3" />
      <rect className={styles.solid} x="34" y="24" width="7" height="11" rx="3" />
      <path className={styles.strong} d="M36 35c0 5-5 6-10 6" />
    </>
  ),
  announcement: (
    <>
      <path className={styles.fill} d="M6 19v10h7l18 10V9L13 19z" />
      <path d="M14 29l3 12h6l-3-9" />
      <path className={styles.strong} d="M36 18c3 3 3 9 0 12M40 13c6 6 6 16 0 22" />
    </>
  ),
  configuration: (
    <>
      <rect className={styles.fill} x="6" y="7" width="36" height="34" rx="4" />
      <path d="M12 16h24M12 24h24M12 32h24" />
      <circle className={styles.solid} cx="19" cy="16" r="3.5" />
      <circle className={styles.solid} cx="30" cy="24" r="3.5" />
      <circle className={styles.solid} cx="16" cy="32" r="3.5" />
    </>
  ),
}

export function TileArt({ art }: { art: Art }) {
  return (
    <svg className={styles.tileArt} viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      {drawings[art]}
    </svg>
  )
}
