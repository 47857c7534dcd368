/* What wine 8 lacks of Windows 10: the DLL bcryptprimitives, of which Rust's standard library wants one function.
 * For tests under wine only; nothing of it is shipped. */

#include <windows.h>

/* The system's random numbers, as advapi32 exports them. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
    const SIZE_T most = 1 << 20;

    while (size > 0) {
        ULONG piece = (ULONG)(size < most ? size : most);
        if (!SystemFunction036(data, piece))
            return FALSE;
        data += piece;
        size -= piece;
    }
    return TRUE;
}
