import { getPriceAdvice } from '@aisle/contract/advice/price'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { detailPage } from '../../shelf/detailPage'
import { PriceBody } from './priceBody'
import { PriceTags, PriceVerbs, titleOf } from './priceDrawer'

/** Demand by price, the price suggested, former changes, and what trials told. */
export default detailPage({
  screen: 'yxch/jgtjxq',
  from: 'yxch/jgtj',
  useOne: (id) => {
    useLive({ kinds: ['priceTrial'], also: [] }, [getPriceAdvice])
    return useEndpoint(getPriceAdvice, { id }, { errors: 'throw' })
  },
  title: titleOf,
  head: (one) => <PriceTags one={one} />,
  actions: (one) => <PriceVerbs one={one} />,
  children: (one) => <PriceBody one={one} />,
})
