import { merchantPaymentsPage } from './merchantPayments'

export default merchantPaymentsPage('cfgl/shzftj')
