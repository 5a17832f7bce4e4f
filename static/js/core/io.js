/** The one door to the socket's library, so that its address stands in one place. */
import { io as open } from "../../vendor/socket.io-client/socket.io.esm.min.js";

/** Within this all clients of a server that ends connect again, not all in one instant. */
const SPREAD_MS = 250;

/** A socket, which leaves a server that is about to end. @type {typeof open} */
export const io = (/** @type {any} */ options) => {
  const socket = open(options);
  socket.on("moving", () => {
    const left = socket.id;
    setTimeout(() => {
      if (socket.id === left) socket.disconnect().connect();
    }, Math.random() * SPREAD_MS);
  });
  return socket;
};
