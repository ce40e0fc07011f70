import { useState } from 'react'
import styles from './picture.module.css'

/** A product's picture. The name stands beside it, so it has no text of its own; without one a drawn box stands in. */
export function Picture({ src, size = 40 }: { src: string | null; size?: number }) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!src || src === broken) return <Blank size={size} />
  return (
    <img
      data-part="picture"
      className={styles.picture}
      src={src}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      onError={() => setBroken(src)}
    />
  )
}

const Blank = ({ size }: { size: number }) => (
  <svg data-part="picture" className={styles.picture} width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
    <path d="m8 15 12-6 12 6v12l-12 6-12-6zM8 15l12 6 12-6M20 21v12M14 12l12 6" fill="none" stroke="currentColor" />
  </svg>
)
