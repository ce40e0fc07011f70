import { useState } from 'react'
import styles from './panels.module.css'

/** The product's picture; a drawn box where there is none or where it does not load. Always beside the name. */
export function GoodsPicture({ address }: { address: string }) {
  const [broken, setBroken] = useState('')
  if (address === '' || broken === address) return <DefaultGoods />
  return <img className={styles.goods} src={address} alt="" loading="lazy" onError={() => setBroken(address)} />
}

function DefaultGoods() {
  return (
    <svg className={styles.goods} viewBox="0 0 48 48" aria-hidden="true">
      <path
        className={styles.goodsBottle}
        d="M12 20c0-3 3-4 3-7V9h6v4c0 3 3 4 3 7v17a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2Z"
      />
      <path className={styles.goodsLabel} d="M12 25h12v7H12z" />
      <path className={styles.goodsCap} d="M15 6.500h6V9h-6z" />
      <path className={styles.goodsBox} d="M27 22h11v17H27z" />
      <path className={styles.goodsLabel} d="M30 27h5v5h-5z" />
    </svg>
  )
}
