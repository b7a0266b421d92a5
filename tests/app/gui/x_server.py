"""Talks to the X server through Xlib: reads the screen, and drops files on a window as a file manager does (the source's
side of the XDND protocol, version 5)."""
import ctypes
import ctypes.util
import time

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
long = ctypes.c_long
ulong = ctypes.c_ulong


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", ulong), ("message_type", ulong), ("format", ctypes.c_int), ("l", long * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("owner", ulong), ("requestor", ulong), ("selection", ulong), ("target", ulong), ("property", ulong),
                ("time", ulong)]


class SelectionNotify(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("requestor", ulong), ("selection", ulong), ("target", ulong), ("property", ulong), ("time", ulong)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage), ("request", SelectionRequest), ("pad", long * 24)]


class Image(ctypes.Structure):  # the beginning of XImage
    _fields_ = [(name, ctypes.c_int) for name in ("width", "height", "xoffset", "format")] + \
               [("data", ctypes.POINTER(ctypes.c_ubyte))] + \
               [(name, ctypes.c_int) for name in ("byte_order", "bitmap_unit", "bitmap_bit_order", "bitmap_pad", "depth",
                                                  "bytes_per_line", "bits_per_pixel")]


class Xlib:
    def __init__(self, display):
        self.x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        pointer = ctypes.c_void_p
        for name, result, arguments in [
                ("XOpenDisplay", pointer, [ctypes.c_char_p]), ("XCloseDisplay", ctypes.c_int, [pointer]),
                ("XDefaultRootWindow", ulong, [pointer]),
                ("XCreateSimpleWindow", ulong, [pointer, ulong] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 3 + [ulong] * 2),
                ("XInternAtom", ulong, [pointer, ctypes.c_char_p, ctypes.c_int]),
                ("XSetSelectionOwner", ctypes.c_int, [pointer, ulong, ulong, ulong]),
                ("XSendEvent", ctypes.c_int, [pointer, ulong, ctypes.c_int, long, pointer]),
                ("XChangeProperty", ctypes.c_int,
                 [pointer, ulong, ulong, ulong, ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]),
                ("XGetImage", ctypes.POINTER(Image),
                 [pointer, ulong, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ulong, ctypes.c_int]),
                ("XDisplayWidth", ctypes.c_int, [pointer, ctypes.c_int]),
                ("XDisplayHeight", ctypes.c_int, [pointer, ctypes.c_int]),
                ("XDestroyImage", ctypes.c_int, [ctypes.POINTER(Image)]),
                ("XPending", ctypes.c_int, [pointer]), ("XNextEvent", ctypes.c_int, [pointer, pointer]),
                ("XFlush", ctypes.c_int, [pointer])]:
            function = getattr(self.x, name)
            function.restype, function.argtypes = result, arguments
        self.display = self.x.XOpenDisplay(display.encode())
        assert self.display, "no display"

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)


def set_resource(display, text):
    """Sets a resource on the root window, as xrdb does: GLFW takes the scale of the screen from Xft.dpi."""
    lib = Xlib(display)
    lib.x.XChangeProperty(lib.display, lib.x.XDefaultRootWindow(lib.display), lib.atom("RESOURCE_MANAGER"), lib.atom("STRING"), 8,
                          0, text.encode(), len(text))
    lib.x.XFlush(lib.display)
    lib.x.XCloseDisplay(lib.display)


def root_pixels(display):
    """Returns the screen: width, height, bytes a row, and the bytes: blue, green, red and one unused byte for each pixel."""
    lib = Xlib(display)
    width, height = lib.x.XDisplayWidth(lib.display, 0), lib.x.XDisplayHeight(lib.display, 0)
    root, all_planes, z_pixmap = lib.x.XDefaultRootWindow(lib.display), ulong(-1).value, 2
    image = lib.x.XGetImage(lib.display, root, 0, 0, width, height, all_planes, z_pixmap)
    assert image and image.contents.bits_per_pixel == 32 and image.contents.byte_order == 0, "a screen of 24 bits is needed"
    stride = image.contents.bytes_per_line
    data = ctypes.string_at(image.contents.data, stride * height)
    lib.x.XDestroyImage(image)
    lib.x.XCloseDisplay(lib.display)
    return width, height, stride, data


def drop(display, window, x, y, paths, patience=20):
    """Drops files on a window. True once the window has taken the paths, False after `patience` seconds."""
    lib = Xlib(display)
    dpy = lib.display
    source = lib.x.XCreateSimpleWindow(dpy, lib.x.XDefaultRootWindow(dpy), 0, 0, 1, 1, 0, 0, 0)
    uri_list, selection, copy = lib.atom("text/uri-list"), lib.atom("XdndSelection"), lib.atom("XdndActionCopy")
    lib.x.XSetSelectionOwner(dpy, selection, source, 0)

    def send(message, *data):
        event = Event()
        event.client = ClientMessage(CLIENT_MESSAGE, 0, 1, dpy, window, lib.atom(message), 32, (long * 5)(source, *data))
        lib.x.XSendEvent(dpy, window, 0, 0, ctypes.byref(event))
        lib.x.XFlush(dpy)

    def answer(request):
        text = "".join(f"file://{path}\r\n" for path in paths).encode()
        lib.x.XChangeProperty(dpy, request.requestor, request.property, request.target, 8, 0, text, len(text))
        reply = Event()
        ctypes.memmove(ctypes.byref(reply), ctypes.byref(SelectionNotify(
            SELECTION_NOTIFY, 0, 1, dpy, request.requestor, request.selection, request.target, request.property, request.time)),
            ctypes.sizeof(SelectionNotify))
        lib.x.XSendEvent(dpy, request.requestor, 0, 0, ctypes.byref(reply))
        lib.x.XFlush(dpy)

    send("XdndEnter", 5 << 24, uri_list, 0, 0)
    send("XdndPosition", 0, (x << 16) | y, 0, copy)
    dropped, finished, end = False, False, time.monotonic() + patience
    while not finished and time.monotonic() < end:
        if not lib.x.XPending(dpy):
            time.sleep(0.02)
            continue
        event = Event()
        lib.x.XNextEvent(dpy, ctypes.byref(event))
        if event.type == SELECTION_REQUEST:
            answer(event.request)
        elif event.type == CLIENT_MESSAGE and event.client.message_type == lib.atom("XdndStatus") and not dropped:
            assert event.client.l[1] & 1, "the window does not take files here"
            dropped = True
            send("XdndDrop", 0, 0, 0, 0)
        elif event.type == CLIENT_MESSAGE and event.client.message_type == lib.atom("XdndFinished"):
            finished = True
    lib.x.XCloseDisplay(dpy)
    return finished
