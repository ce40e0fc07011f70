import { useBrand } from './brand'
import styles from './brandMark.module.css'
import { Logo } from './logo'

/** Logo and name of whose product this is to the person. */
export function BrandMark({ size }: { size: number }) {
  const { logo, name } = useBrand()
  return (
    <>
      {logo ? <img className={styles.logo} src={logo} alt="" style={{ height: size }} /> : <Logo size={size} />}
      <span className={styles.title}>{name ?? 'Aisle'}</span>
    </>
  )
}
