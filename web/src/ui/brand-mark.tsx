import { useBrand } from './brand'
import { Logo } from './logo'

/** Logo and name of whose product this is to the person. */
export function BrandMark({ size }: { size: number }) {
  const { logo, name } = useBrand()
  return (
    <>
      {logo ? <img className="brand-logo" src={logo} alt="" style={{ height: size }} /> : <Logo size={size} />}
      <span className="brand-title">{name ?? 'Aisle'}</span>
    </>
  )
}
