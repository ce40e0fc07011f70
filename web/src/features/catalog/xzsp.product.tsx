import { addProduct, editProduct, getProduct, listProducts } from '@aisle/contract/catalog/product'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { Form } from '../../admin/form/form'
import { useAddress } from '../../admin/useAddress'
import { refetch, useEndpoint } from '../../live/query'
import { can, currentSession } from '../../live/session'
import { Hints } from '../../ui/feedback/hint'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { useProductForm } from './productForm'
import { OwnerContext } from './productInputs'

const screen = screenOf('spgl/xzsp')
const list = screenOf('spgl/wdsp').path
const shape = { id: z.coerce.number().int().positive().optional() }

/** For merchandisers, ten times a day when the range grows: one product, and with its id in the address that one. */
export default function ProductPage() {
  const title = useText('screens').any(screen.key)
  const t = useText('catalog')
  const { id } = useAddress(screen.path, shape).query
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{id ? t('product.edit') : title}</h1>
      </header>
      {id ? <Loaded key={id} id={Number(id)} /> : <NewProduct />}
      <Hints />
    </div>
  )
}

function NewProduct() {
  const t = useText('catalog')
  const form = useProductForm(true)
  const saved = useSaved()
  return (
    <Form
      spec={{
        ...form,
        endpoint: addProduct,
        initial: { merchantId: currentSession()?.info?.merchant.id, isJointVenture: false },
      }}
      save={t('verb.addProduct')}
      onSaved={({ id }, { name }) => saved(id, t('verb.addProduct.done', { name: String(name) }))}
    />
  )
}

function Loaded({ id }: { id: number }) {
  const { data, error, refetch: again } = useEndpoint(getProduct, { id }, { errors: 'throw' })
  if (data) return <KnownProduct product={data} />
  return error ? <Failure failure={error} retry={() => void again()} /> : <div className="bone" />
}

function KnownProduct({ product }: { product: OutputOf<typeof getProduct> }) {
  const t = useText('catalog')
  const form = useProductForm(false)
  const saved = useSaved()
  const { id, version, code, name, merchantId, merchantName } = product
  const initial = Object.fromEntries(Object.entries(product).filter(([field]) => field in editProduct.input.shape))
  return (
    <OwnerContext value={merchantId}>
      <p className="quiet">{[code, name, merchantName].join(' · ')}</p>
      <Form
        spec={{ ...form, endpoint: editProduct, target: { id, version }, initial }}
        save={can(editProduct.access) ? t('verb.editProduct') : null}
        onSaved={() => saved(id, t('verb.editProduct.done', { name }))}
      />
    </OwnerContext>
  )
}

/** Back to the list, with the product open. */
function useSaved() {
  const navigate = useNavigate()
  return async (id: number, text: string) => {
    toast('good', text)
    await refetch(listProducts, getProduct)
    await navigate({ to: list, search: { open: String(id) } })
  }
}
