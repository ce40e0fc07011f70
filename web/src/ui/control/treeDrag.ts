import { type DragEvent, type KeyboardEvent, useState } from 'react'
import type { TreeIndex } from './tree.rules'
import { dropAt, type Step, stepTo, type TreePlace, type Zone, zoneAt } from './treeMove.rules'

export type Dragging = NonNullable<ReturnType<typeof useDragging>>

const steps: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

/** Lines of a tree that go where they are dragged, or a step by Alt and an arrow. */
export function useDragging(index: TreeIndex, onMove: ((id: number, place: TreePlace) => void) | undefined) {
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<{ id: number; zone: Zone } | null>(null)
  if (!onMove) return null
  const stop = () => {
    setDragged(null)
    setOver(null)
  }
  const placeAt = (event: DragEvent<HTMLElement>, id: number) => {
    const box = event.currentTarget.getBoundingClientRect()
    const zone = zoneAt(event.clientY - box.top, box.height)
    return { zone, place: dragged === null ? null : dropAt(index, dragged, id, zone) }
  }
  return {
    propsOf: (id: number) => ({
      draggable: true,
      'data-drop': over?.id === id ? over.zone : undefined,
      onDragStart: (event: DragEvent<HTMLElement>) => {
        // Firefox drags nothing that carries nothing.
        event.dataTransfer.setData('text/plain', String(id))
        event.dataTransfer.effectAllowed = 'move'
        setDragged(id)
      },
      onDragOver: (event: DragEvent<HTMLElement>) => {
        const { zone, place } = placeAt(event, id)
        if (place) event.preventDefault()
        if (!place) setOver(null)
        else if (over?.id !== id || over.zone !== zone) setOver({ id, zone })
      },
      onDrop: (event: DragEvent<HTMLElement>) => {
        event.preventDefault()
        const { place } = placeAt(event, id)
        if (dragged !== null && place) onMove(dragged, place)
        stop()
      },
      onDragEnd: stop,
    }),
    /** @returns whether the key was one of a move */
    onKey: (event: KeyboardEvent, id: number): boolean => {
      const step = event.altKey && !event.ctrlKey && !event.metaKey ? steps[event.key] : undefined
      if (!step) return false
      event.preventDefault()
      const place = stepTo(index, id, step)
      if (place) onMove(id, place)
      return true
    },
  }
}
