/** The one door to the socket's library, so that its address stands in one place. */
export { io } from "../../vendor/socket.io-client/socket.io.esm.min.js";
