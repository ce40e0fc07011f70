import { lazy } from 'react'
import { Facts } from '../../../ui/facts'
import { useText } from '../../../ui/text'
import { addressOf } from '../place/address'
import { MachineCode } from './machineCode'
import type { MachineDetail } from './machineDrawer'
import { Part } from '../../../ui/part'
import styles from './machine.module.css'

/** The outline of the country weighs more than all the rest of the page: it comes when somebody looks. */
const SpotMap = lazy(() => import('../place/spotMap').then(({ SpotMap: map }) => ({ default: map })))

export function MachinePlace({ machine }: { machine: MachineDetail }) {
  const t = useText('fleet')
  const { pointName, longitude, latitude, routeName, routeOrder } = machine
  return (
    <div className={styles.live}>
      <Facts
        facts={[
          { label: t('field.pointName'), value: pointName },
          { label: t('field.address'), value: addressOf(machine) },
          { label: t('place.position'), value: `${latitude.toFixed(5)}, ${longitude.toFixed(5)}` },
          { label: t('field.routeId'), value: routeName && `${routeName} · ${routeOrder}` },
          { label: t('place.customers'), value: <MachineCode machine={machine} /> },
        ]}
      />
      <Part>
        <SpotMap longitude={longitude} latitude={latitude} label={pointName} />
      </Part>
    </div>
  )
}
