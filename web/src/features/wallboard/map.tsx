import { memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { chinaMap } from 'virtual:china-map'
import { useText } from '../../ui/text'
import { Land, LitProvince, provinceAt } from './land'
import { MapTip } from './map-tip'
import { useFlash } from './motion'
import { type Dot, pointLayer } from './point-layer'
import { nearest } from './points.rules'
import { isOnMap, project, type Spot } from '../../ui/projection'
import type { Sale } from './sale.rules'

const { width, height, projection } = chinaMap
/** How near a pointer must come, in pixels. */
const REACH_PIXELS = 18

type Placed = Dot & { sale: Sale }

export const MapPanel = memo(function MapPanel({ sales, pointed }: { sales: readonly Sale[]; pointed: Sale | null }) {
  const t = useText('wallboard')
  const placed = useMemo(() => placedOf(sales), [sales])
  const canvas = usePoints(placed)
  const [hovered, setHovered] = useState<Sale | null>(null)
  const newest = placed[0]
  const placeOf = (sale: Sale | null) => placed.find((each) => each.sale.key === sale?.key)
  const chosen = placeOf(pointed) ?? placeOf(hovered) ?? newest
  const province = useMemo(() => (newest ? provinceAt(newest.spot) : null), [newest])

  const onMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const scale = width / box.width
    const pointer: Spot = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale]
    const found = nearest(
      placed.map(({ spot }) => spot),
      pointer,
      REACH_PIXELS * scale,
    )
    setHovered(found === null ? null : (placed[found]?.sale ?? null))
  }
  return (
    <div className="map-stage">
      <div className="map" style={{ aspectRatio: `${width} / ${height}` }}>
        <Land />
        {newest && province && <LitProvince code={province} saleKey={newest.sale.key} />}
        {newest && <Newest spot={newest.spot} saleKey={newest.sale.key} />}
        <canvas
          ref={canvas}
          role="img"
          aria-label={t('map.label', { count: placed.length })}
          onPointerMove={onMove}
          onPointerLeave={() => setHovered(null)}
        />
        {chosen && <MapTip key={chosen.sale.key} sale={chosen.sale} number={chosen.position + 1} spot={chosen.spot} />}
      </div>
    </div>
  )
})

function placedOf(sales: readonly Sale[]): readonly Placed[] {
  return sales
    .map((sale, position): Placed | null => {
      const place = [sale.lon, sale.lat] as const
      return isOnMap(place) ? { sale, position, spot: project(projection, place) } : null
    })
    .filter((each) => each !== null)
}

function Newest({ spot: [x, y], saleKey }: { spot: Spot; saleKey: string }) {
  const flash = useFlash<HTMLElement>(saleKey, FLASH, 900)
  return (
    <span className="map-newest" style={{ left: `${(100 * x) / width}%`, top: `${(100 * y) / height}%` }}>
      <i ref={flash} />
    </span>
  )
}

const FLASH = [
  { opacity: 1, transform: 'scale(1.8)' },
  { opacity: 0, transform: 'scale(0.4)' },
]

function usePoints(placed: readonly Placed[]) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<ReturnType<typeof pointLayer> | null>(null)

  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const points = pointLayer(element)
    layer.current = points
    const observer = new ResizeObserver(() => points.resize(element.clientWidth, element.clientHeight, width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useEffect(() => layer.current?.show(placed), [placed])

  return canvas
}
