"""The pages of the hall, the phones and the desk: a request becomes one change or one report, and HTML.

Only this package knows starlette, uvicorn and segno.
"""
