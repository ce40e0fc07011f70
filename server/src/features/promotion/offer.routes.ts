import { listOffers } from '@aisle/contract/promotion/offer'
import { listOf, type Route } from '../../kernel/route'
import { listOffersIn } from './offer.reads'

export const routes: Route[] = [...listOf(listOffers, listOffersIn)]
