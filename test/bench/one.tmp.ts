import { benchNeighbours } from './neighbours.tmp.ts'; await benchNeighbours();
